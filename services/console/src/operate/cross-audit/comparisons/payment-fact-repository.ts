import type { Sql } from '@filmgate/kit/database/postgres'
import type { ChangeFact } from '@filmgate/proto/operator/facts'
import type { ListPage } from './comparison'

type Row = Omit<ChangeFact, 'created_at' | 'changed_at'> & { createdAt: Date; changedAt: Date }

/** What purchases, refunds and disputes asked the ledger for, as a list of facts like the services'. */
export const listPaymentFacts =
  (sql: Sql): ListPage<ChangeFact> =>
  async ({ id = null, after = null, through = null, since = null }, limit) => {
    const rows = await sql<Row[]>`
      select change.id, account_id, kind, 'paid' as balance, change.credits, change.state, change.created_at as "createdAt",
        coalesce(decided_at, change.created_at) as "changedAt"
      from payment_change change join purchase on purchase.id = purchase_id
      where (${id}::text is null or change.id = ${id}) and (${after}::text is null or change.id collate "C" > ${after})
        and (${through}::text is null or change.id collate "C" <= ${through}) and (${since}::timestamptz is null or change.created_at >= ${since})
      order by change.id collate "C" limit ${limit}`
    return rows.map(({ createdAt, changedAt, ...fact }) => ({
      ...fact,
      created_at: createdAt.toISOString(),
      changed_at: changedAt.toISOString(),
    }))
  }
