import type { Sql } from '@filmgate/kit/database/postgres'
import { columns, type PurchaseWithReversals, reversalsOf } from '../../billing/purchases/purchase-repository'

/** With the changes that the ledger has applied, and those it has not. */
export type PurchaseRow = PurchaseWithReversals & {
  grantedCredits: number
  takenCredits: number
  undecidedChanges: number
  /** Of the oldest of them; null where there are none. */
  undecidedSince: Date | null
  /** The ledger's reason for the latest refused change. */
  refusal: string | null
}

const rows = (sql: Sql) => sql`
  select ${columns(sql)}, ${reversalsOf(sql)} as reversals, changes.* from purchase cross join lateral (
    select
      coalesce(sum(credits) filter (where number = 1 and state = 'applied'), 0)::bigint as "grantedCredits",
      coalesce(sum(case kind when 'debit' then credits else -credits end) filter (where number > 1 and state = 'applied'), 0)::bigint
        as "takenCredits",
      count(*) filter (where state <> 'applied') as "undecidedChanges",
      min(created_at) filter (where state <> 'applied') as "undecidedSince",
      (array_agg(refusal order by number desc) filter (where state = 'refused'))[1] as refusal
    from payment_change where purchase_id = purchase.id
  ) changes`

const inAccount = (sql: Sql, accountId: string | undefined) => (accountId ? sql`and account_id = ${accountId}` : sql``)

/** Neither paid nor granted yet, oldest first; of all accounts or of one. */
export const listWaiting = (sql: Sql, limit: number, accountId?: string) =>
  sql<PurchaseRow[]>`
    ${rows(sql)} where purchase.state in ('created', 'open', 'processing', 'paid') ${inAccount(sql, accountId)} order by id limit ${limit}`

export type LatestPurchasesInput = { accountId?: string | undefined; beforeId?: string | undefined; limit: number }

/** In any state, newest first; of all accounts or of one. */
export const listLatest = (sql: Sql, { accountId, beforeId, limit }: LatestPurchasesInput) =>
  sql<PurchaseRow[]>`
    ${rows(sql)} where true ${beforeId ? sql`and id < ${beforeId}` : sql``} ${inAccount(sql, accountId)} order by id desc limit ${limit}`
