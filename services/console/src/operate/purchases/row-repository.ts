import type { Sql } from '@filmgate/kit/database/postgres'
import { columns, reversalsOf, type WithReversals } from '../../billing/purchases/purchase-repository'

/** With what the ledger has applied for it, and what it has not yet. */
export type PurchaseRow = WithReversals & {
  grantedCredits: number
  takenCredits: number
  undecidedChanges: number
  /** The ledger's word for the latest of those that it refused. */
  refusal: string | null
}

const rows = (sql: Sql) => sql`
  select ${columns(sql)}, ${reversalsOf(sql)} as reversals, changes.* from purchase cross join lateral (
    select
      coalesce(sum(credits) filter (where number = 1 and state = 'applied'), 0)::bigint as "grantedCredits",
      coalesce(sum(case kind when 'debit' then credits else -credits end) filter (where number > 1 and state = 'applied'), 0)::bigint
        as "takenCredits",
      count(*) filter (where state <> 'applied') as "undecidedChanges",
      (array_agg(refusal order by number desc) filter (where state = 'refused'))[1] as refusal
    from payment_change where purchase_id = purchase.id
  ) changes`

const ofAccount = (sql: Sql, accountId: string | undefined) => (accountId ? sql`and account_id = ${accountId}` : sql``)

/** What is not paid or not granted yet, oldest first; of all accounts or of one. */
export const listWaiting = (sql: Sql, limit: number, accountId?: string) =>
  sql<PurchaseRow[]>`
    ${rows(sql)} where purchase.state in ('created', 'open', 'processing', 'paid') ${ofAccount(sql, accountId)} order by id limit ${limit}`

export type LatestAsked = { accountId?: string | undefined; beforeId?: string | undefined; limit: number }

/** In any state, newest first; of all accounts or of one. */
export const listLatest = (sql: Sql, { accountId, beforeId, limit }: LatestAsked) =>
  sql<PurchaseRow[]>`
    ${rows(sql)} where true ${beforeId ? sql`and id < ${beforeId}` : sql``} ${ofAccount(sql, accountId)} order by id desc limit ${limit}`
