import type { Sql } from '@filmgate/kit/database/postgres'
import { hasRole, needsRole } from '@filmgate/kit/operator/needs-role'
import { AccountRow, GatewayAccount } from '@filmgate/proto/operator/account'
import { listOf } from '@filmgate/proto/operator/answer'
import { LedgerAccount } from '@filmgate/proto/operator/books'
import { Elysia } from 'elysia'
import { listMembers } from '../../accounts/member-repository'
import { listAuditEntries } from '../../audit-log/list-repository'
import { readForm } from '../../http/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { actionNotice, actionPath, findShownAction } from '../actions/shown-action'
import { accountPath } from '../layout/menu'
import { secretPage } from '../layout/secret-page'
import { requireResult } from '../services/require-result'
import { accountPage } from './account-page'
import { type ChangeKind, changeCredits } from './change-credits'
import { openAccount } from './open-account'
import { accountsPage } from './page'

export const accounts = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(requireOperator(deps))
    .get('/operate/accounts', async function getAccounts({ operator, request, set }) {
      const search = new URL(request.url).searchParams
      const query = new URLSearchParams({ limit: '50' })
      for (const name of ['name', 'cursor']) if (search.get(name)) query.set(name, search.get(name) ?? '')
      const [response, last] = await Promise.all([
        deps.services.ask(operator.person, 'gateway', { answer: listOf(AccountRow), path: `/accounts?${query}` }),
        findShownAction(deps.sql, request, operator),
      ])
      const name = search.get('name') ?? ''
      return answerPage(
        set,
        accountsPage({ operator, url: request.url, name, list: requireResult(response), last, notice: actionNotice(last) }),
      )
    })
    .post(
      '/operate/accounts',
      async function postAccount({ operator, request, set }) {
        const form = await readForm(request)
        const { actionId, created } = await openAccount(deps, operator, form)
        if (!created) return seeOther(set, actionPath('/operate/accounts', actionId))
        const description = `The first key of the account “${form.get('name')}”, ${created.account_id}.`
        const path = actionPath(accountPath(created.account_id ?? ''), actionId)
        return answerPage(set, secretPage({ operator, title: 'Account opened', secret: created.api_key, description, path }))
      },
      { ...needsRole('money'), parse: 'none' },
    )
    .get('/operate/accounts/:id', async function getAccount({ operator, request, params: { id }, set }) {
      const path = `/accounts/${encodeURIComponent(id)}`
      const [gateway, ledger, last] = await Promise.all([
        deps.services.ask(operator.person, 'gateway', { answer: GatewayAccount, path }),
        deps.services.ask(operator.person, 'ledger', { answer: LedgerAccount, path }),
        findShownAction(deps.sql, request, operator),
      ])
      const known = requireResult(gateway)
      const people = hasRole(operator.role, 'support') ? await findPeople(deps.sql, known.account.account_id) : undefined
      return answerPage(set, accountPage({ operator, known, ledger, people, last, notice: actionNotice(last) }))
    })
    .post('/operate/accounts/:id/grants', postChange(deps, 'grant'), { ...needsRole('money'), parse: 'none' })
    .post('/operate/accounts/:id/debits', postChange(deps, 'debit'), { ...needsRole('money'), parse: 'none' })

/** The latest of what they did; their own page has all of it. */
const logRows = 20

async function findPeople(sql: Sql, accountId: string) {
  const [members, log] = await Promise.all([
    listMembers(sql, accountId),
    listAuditEntries(sql, accountId, { beforeId: null, limit: logRows }),
  ])
  return { members, log }
}

type PostContext = {
  operator: Parameters<typeof changeCredits>[1]
  request: Request
  params: { id: string }
  set: Parameters<typeof seeOther>[0]
}

const postChange = (deps: OperateDeps, kind: ChangeKind) =>
  async function postChange({ operator, request, params: { id }, set }: PostContext) {
    const done = await changeCredits(deps, operator, await readForm(request), { kind, accountId: id })
    return seeOther(set, actionPath(accountPath(id), done))
  }
