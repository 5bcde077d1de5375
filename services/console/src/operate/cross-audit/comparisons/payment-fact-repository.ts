import type { Sql } from '@filmgate/kit/database/postgres'
import { type DatedRow, isoRows } from '@filmgate/kit/operator/dated-rows'
import type { ChangeFact } from '@filmgate/proto/operator/facts'
import type { ListPage } from './comparison'

/** What purchases, refunds and disputes asked the ledger for, as a list of facts like the services'. */
export const listPaymentFacts =
  (sql: Sql): ListPage<ChangeFact> =>
  async ({ id = null, after = null, through = null, since = null }, limit) => {
    const rows = await sql<DatedRow<ChangeFact>[]>`
      select change.id, account_id, kind, 'paid' as balance, change.credits, change.state, change.created_at,
        coalesce(decided_at, change.created_at) as changed_at
      from payment_change change join purchase on purchase.id = purchase_id
      where (${id}::text is null or change.id = ${id}) and (${after}::text is null or change.id collate "C" > ${after})
        and (${through}::text is null or change.id collate "C" <= ${through}) and (${since}::timestamptz is null or change.created_at >= ${since})
      order by change.id collate "C" limit ${limit}`
    return isoRows<ChangeFact>(rows)
  }
