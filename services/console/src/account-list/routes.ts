import type { Sql } from '@filmgate/kit/database/postgres'
import { Elysia } from 'elysia'
import { listMemberships } from '../accounts/account-repository'
import { type Person, type PersonDeps, requireSignIn } from '../http/person'
import { readForm } from '../http/read-form'
import { newFormId, submitOnce } from '../http/submit-once'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import type { Notice } from '../layout/page'
import { invalidNameMessage, isValidName } from '../people/name'
import { openAdditionalAccount, ownedAccountsMax } from './open-additional-account'
import { accountsPage } from './page'

export type AccountListDeps = PersonDeps & { sql: Sql }

/** /accounts: lists a person's accounts and opens an additional one. */
export const accountList = (deps: AccountListDeps) =>
  new Elysia({ name: 'account-list', normalize: false })
    .use(requireSignIn(deps))
    .get('/accounts', async function getAccounts({ query, set, person }) {
      const notice: Notice | undefined = query.done === 'closed' ? { kind: 'done', text: 'The account is deleted.' } : undefined
      return answerPage(set, accountsPage({ ...(await pageInput(deps, person)), notice }))
    })
    .post('/accounts', async function postAccount({ request, set, person }) {
      const form = await readForm(request)
      const name = form.get('name')
      const refuse = async (issue: string, status: number) =>
        answerPage(set, accountsPage({ ...(await pageInput(deps, person)), name, issue }), status)
      if (!isValidName(name)) return refuse(invalidNameMessage, 400)
      await submitOnce(deps.sql, form.get('form'))
      const accountId = await openAdditionalAccount(deps, person, name)
      return accountId === undefined
        ? refuse(`You already own ${ownedAccountsMax} accounts, which is the maximum.`, 409)
        : seeOther(set, accountPath(accountId))
    })

const pageInput = async ({ sql }: AccountListDeps, person: Person) => ({
  person,
  memberships: await listMemberships(sql, person.id),
  formId: newFormId(),
})
