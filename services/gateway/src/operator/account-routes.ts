import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { operatorName } from '@filmgate/kit/operator/operator-name'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { words } from '@filmgate/kit/request/text'
import type * as answers from '@filmgate/proto/operator/account'
import type { Listed } from '@filmgate/proto/operator/answer'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { type AccountRow, findAccount, listAccounts } from '../accounts/account-repository'
import { type OpenAccountDeps, openAccount } from '../accounts/open-account'
import { LimitsBody, setLimits } from '../accounts/set-limits'
import { LowBalanceBody, setLowBalance } from '../accounts/set-low-balance'
import { auditEntryView, listAuditEntries } from '../audit-log/audit-repository'
import { changeView } from '../credit-changes/credit-change'
import { listChanges } from '../credit-changes/credit-change-repository'
import type { Reason } from '../errors'
import { listKeys } from '../keys/key-repository'
import { cursor, writeCursor } from '../paging/cursor'
import { pageOf } from '../paging/page'
import { pageSize, words as queryWords, readQuery } from '../paging/read-query'
import { operatorKeyView } from './key-routes'

const credits = (minimum: number) => Type.Integer({ minimum, maximum: 1_000_000_000_000 })
const Account = Type.Object(
  { name: words(200), credits: credits(0), starter_credits: Type.Optional(credits(0)) },
  { additionalProperties: false },
)
/** How many of an account's latest grants and debits, and of operators' acts on it, are shown. */
const shownMax = 50

export const accountRoutes = (deps: OpenAccountDeps & { sql: Sql; grantLimit?: number | undefined }) =>
  new Elysia({ normalize: false })
    .post(
      '/accounts',
      async function postAccount({ request }): Promise<answers.NewAccount> {
        const { name, credits, starter_credits = 0 } = await readJsonAs(Account, request)
        const operator = operatorName(request)
        const limit = deps.grantLimit
        if (limit !== undefined && Math.max(credits, starter_credits) > limit)
          throw new Failure<Reason>('second_person_required', { details: { limit } })
        const { accountId, apiKey } = await openAccount(deps, { name, credits, starterCredits: starter_credits, operator })
        return { account_id: accountId, api_key: apiKey }
      },
      needsRole('money', Account),
    )
    .get('/accounts', async function getAccounts({ request }): Promise<Listed<answers.AccountRow>> {
      const query = readQuery(request.url, { name: queryWords(200), cursor: cursor(([id]) => id), limit: pageSize(50, 500) })
      const filter = { nameHas: query.name, beforeId: query.cursor ?? null, rowsMax: query.limit + 1 }
      return pageOf(await listAccounts(deps.sql, filter), query.limit, accountView, ({ id }) => writeCursor([id]))
    })
    .get('/accounts/:id', async function getAccount({ params: { id } }): Promise<answers.GatewayAccount> {
      const account = await findAccount(deps.sql, id)
      if (!account) throw new Failure<Reason>('account_not_found')
      const [keys, changes, acts] = await Promise.all([
        listKeys(deps.sql, id),
        listChanges(deps.sql, id, shownMax),
        listAuditEntries(deps.sql, id, shownMax),
      ])
      return {
        account: accountView(account),
        keys: keys.map(operatorKeyView),
        credit_changes: changes.map(changeView),
        acts: acts.map(auditEntryView),
      }
    })
    .post(
      '/accounts/:id/low-balance',
      async function postLowBalance({ request, params: { id } }): Promise<answers.LowBalance> {
        const { credits } = await readJsonAs(LowBalanceBody, request)
        await setLowBalance(deps, { accountId: id, credits, operator: operatorName(request) })
        return { account_id: id, low_balance_credits: credits }
      },
      needsRole('support', LowBalanceBody),
    )
    .post(
      '/accounts/:id/limits',
      async function postLimits({ request, params: { id } }): Promise<answers.AccountLimits> {
        const limits = await readJsonAs(LimitsBody, request)
        const set = await setLimits(deps, { accountId: id, limits, operator: operatorName(request) })
        return { account_id: id, requests_a_minute: set.requestsAMinute, unfinished_tasks_max: set.unfinishedTasksMax }
      },
      needsRole('money', LimitsBody),
    )

const accountView = ({ id, name, available, starter, lowBalance, createdAt, ...limits }: AccountRow): answers.AccountRow => ({
  account_id: id,
  name,
  available,
  starter,
  low_balance_credits: lowBalance,
  requests_a_minute: limits.requestsAMinute,
  unfinished_tasks_max: limits.unfinishedTasksMax,
  created_at: createdAt.toISOString(),
})
