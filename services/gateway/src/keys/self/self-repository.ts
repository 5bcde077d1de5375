import type { Sql } from '@filmgate/kit/database/postgres'

/** A key as it sees itself. Credits it spent, less what came back: of the UTC day and month of `now`. */
export type SelfKey = {
  name: string
  createdAt: Date
  expiresAt: Date | null
  models: string[] | null
  addresses: string[] | null
  /** Where its account has a limit of its own. */
  unfinishedTasksMax: number | null
  today: number
  month: number
}

/** What came back lowers the day on which it was taken. Undefined where the key was deleted meanwhile. */
export async function findSelf(sql: Sql, keyId: string, now: Date): Promise<SelfKey | undefined> {
  const [key] = await sql<SelfKey[]>`
    with taken as (
      select task_id, at, credits from usage_entry
      where key_id = ${keyId} and kind = 'reservation' and at >= date_trunc('month', ${now}::timestamptz, 'UTC')
    ), net as (
      select taken.at, -(taken.credits + coalesce(refund.credits, 0)) as credits
      from taken left join usage_entry as refund on refund.task_id = taken.task_id and refund.kind = 'refund'
    )
    select name, created_at as "createdAt", expires_at as "expiresAt", models, addresses,
           (select unfinished_tasks_max from account where account.id = api_key.account_id) as "unfinishedTasksMax",
           (select coalesce(sum(credits) filter (where at >= date_trunc('day', ${now}::timestamptz, 'UTC')), 0)::bigint from net) as today,
           (select coalesce(sum(credits), 0)::bigint from net) as month
    from api_key where id = ${keyId}`
  return key
}
