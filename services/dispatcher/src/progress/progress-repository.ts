import type { Fragment, Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'

export type ProgressRow = { id: string; phase: string; queuePosition: number | null; percent: number | null }
export type ProgressLimits = { gapMs: number; eventsMax: number }

/**
 * Keeps how far attempts are, and inserts those of `events` whose subject is one of them; returns the ids of attempts whose event was inserted. An
 * attempt that has ended meanwhile, or was written less than `gapMs` ago, stays as it is. Locked in the order of their ids, as whoever moves them does.
 */
export async function updateProgress(
  sql: Sql,
  rows: ProgressRow[],
  { gapMs, eventsMax }: ProgressLimits,
  events: Fragment,
): Promise<Set<string>> {
  const published = await sql<{ id: string }[]>`
    with told as (
      select given.*, attempt.progress_events < ${eventsMax} and coalesce(given.percent, given."queuePosition") is not null as publishes
      from ${recordset(sql, 'given', { id: 'text', phase: 'text', queuePosition: 'int', percent: 'int' }, rows)}
      join attempt on attempt.id = given.id and attempt.state in ('accepted', 'overdue')
        and (attempt.progress_at is null or attempt.progress_at < now() - ${gapMs}::float8 * interval '1 millisecond')
      order by attempt.id for update of attempt
    ), kept as (
      update attempt set phase = told.phase, queue_position = told."queuePosition", percent = told.percent, progress_at = now(),
        progress_events = attempt.progress_events + told.publishes::int
      from told where attempt.id = told.id
    ), sent as (${events} where event.subject in (select id from told where publishes))
    select id from told where publishes`
  return new Set(published.map(({ id }) => id))
}
