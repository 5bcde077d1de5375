import type { Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'

export type ProgressRow = { id: string; phase: string; queuePosition: number | null; percent: number | null }

/** Keeps how far attempts are; one that has ended meanwhile stays as it is. Locked in the order of their ids, as whoever moves them does. */
export async function updateProgress(sql: Sql, rows: ProgressRow[]): Promise<void> {
  await sql`
    with told as (
      select given.* from ${recordset(sql, 'given', { id: 'text', phase: 'text', queuePosition: 'int', percent: 'int' }, rows)}
      join attempt on attempt.id = given.id and attempt.state in ('accepted', 'overdue')
      order by attempt.id for update of attempt
    )
    update attempt set phase = told.phase, queue_position = told."queuePosition", percent = told.percent, progress_at = now()
    from told where attempt.id = told.id`
}
