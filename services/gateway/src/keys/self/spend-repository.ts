import type { Sql } from '@filmgate/kit/database/postgres'

/** Credits less what came back. */
export type KeySpend = { today: number; month: number; total: number }

/** Of the UTC day and month of `now`. What came back lowers the day on which it was taken. */
export async function sumSpend(sql: Sql, keyId: string, now: Date): Promise<KeySpend> {
  const [spend] = await sql<KeySpend[]>`
    with taken as (
      select task_id, at, credits from usage_entry
      where key_id = ${keyId} and kind = 'reservation' and at >= date_trunc('month', ${now}::timestamptz, 'UTC')
    ), net as (
      select taken.at, -(taken.credits + coalesce(refund.credits, 0)) as credits
      from taken left join usage_entry as refund on refund.task_id = taken.task_id and refund.kind = 'refund'
    )
    select coalesce(sum(credits) filter (where at >= date_trunc('day', ${now}::timestamptz, 'UTC')), 0)::bigint as today,
           coalesce(sum(credits), 0)::bigint as month,
           (select coalesce(-sum(credits), 0)::bigint from usage_entry where key_id = ${keyId}) as total
    from net`
  return spend ?? { today: 0, month: 0, total: 0 }
}
