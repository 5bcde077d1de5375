import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { Finding } from '../audit/check-purchase'
import type { Reconciliation } from './reconciliation'

export type Difference = Finding & { objectId: string }

/** Replaces the differences of everything that this reconciliation covered. */
export async function replaceDifferences(
  sql: TransactionSql,
  { id, requestedBy, from, to, livemode }: Pick<Reconciliation, 'id' | 'requestedBy' | 'from' | 'to' | 'livemode'>,
  differences: Difference[],
): Promise<void> {
  await sql`
    delete from stripe_difference
    where object_id in (select object_id from stripe_listed where reconciliation_id = ${id})
      or rule = 'unreadable' and ${requestedBy === null}
      or rule = 'not_listed' and purchase_id in (
        select purchase.id from purchase where livemode = ${livemode} and created_at between ${from} and ${to})`
  await sql`
    insert into stripe_difference (object_id, purchase_id, rule, detail)
    select "objectId", "purchaseId", "check", detail
    from ${recordset(sql, 'found', { objectId: 'text', purchaseId: 'uuid', check: 'text', detail: 'text' }, differences)}
    on conflict (object_id) do update set purchase_id = excluded.purchase_id, rule = excluded.rule, detail = excluded.detail`
}

/** Oldest first. */
export const listDifferences = (sql: Sql, limit: number) =>
  sql<Finding[]>`
    select rule as "check", purchase_id as "purchaseId", detail from stripe_difference order by found_at, object_id limit ${limit}`

export async function countDifferences(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) as count from stripe_difference`
  return row?.count ?? 0
}
