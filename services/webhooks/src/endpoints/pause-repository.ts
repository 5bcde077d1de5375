import type { Sql } from '@filmgate/kit/database/postgres'

export type PauseNotice = { id: string; accountId: string; endpointId: string; url: string; reason: string; pausedAt: Date }

/** Pauses that hold and that nobody has taken, oldest first. */
export const listPauseNotices = (sql: Sql, rowsMax: number) =>
  sql<PauseNotice[]>`
    select pause_notice as id, account_id as "accountId", id as "endpointId", url, paused_reason as reason, paused_at as "pausedAt"
    from endpoint where pause_notice is not null and deleted_at is null order by paused_at, pause_notice limit ${rowsMax}`

/** A later pause of the same endpoint has another id, and stays. */
export async function markPausesTaken(sql: Sql, ids: string[]): Promise<void> {
  await sql`
    update endpoint set pause_notice = null where id in (
      select id from endpoint where pause_notice = any(${ids}::uuid[]) order by id for no key update)`
}
