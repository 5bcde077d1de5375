import type { Sql } from '@filmgate/kit/database/postgres'
import { Elysia } from 'elysia'
import { listMemberships } from '../accounts/account-repository'
import { type Person, type PersonDeps, signedIn } from '../door/person'
import { readForm } from '../door/read-form'
import { newFormId, takeOnce } from '../door/take-once'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import type { Notice } from '../layout/page'
import { isName, nameIssue } from '../people/name'
import { openAnother, ownedMax } from './open-another'
import { accountsPage } from './page'

export type AccountListDeps = PersonDeps & { sql: Sql }

/** /accounts: all that a person is in, and another one. */
export const accountList = (deps: AccountListDeps) =>
  new Elysia({ name: 'account-list', normalize: false })
    .use(signedIn(deps))
    .get('/accounts', async function getAccounts({ query, set, person }) {
      const notice: Notice | undefined = query.done === 'closed' ? { kind: 'done', text: 'The account is deleted.' } : undefined
      return answerPage(set, accountsPage({ ...(await shown(deps, person)), notice }))
    })
    .post('/accounts', async function postAccount({ request, set, person }) {
      const form = await readForm(request)
      const name = form.get('name')
      const refuse = async (issue: string, status: number) =>
        answerPage(set, accountsPage({ ...(await shown(deps, person)), name, issue }), status)
      if (!isName(name)) return refuse(nameIssue, 400)
      await takeOnce(deps.sql, form.get('form'))
      const accountId = await openAnother(deps, person, name)
      return accountId === undefined
        ? refuse(`You own ${ownedMax} accounts, which is as many as one may.`, 409)
        : seeOther(set, accountPath(accountId))
    })

const shown = async ({ sql }: AccountListDeps, person: Person) => ({
  person,
  memberships: await listMemberships(sql, person.id),
  formId: newFormId(),
})
