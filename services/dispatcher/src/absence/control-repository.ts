import type { Sql } from '@filmgate/kit/database/postgres'
import type { Polled } from '../makers/connector'

export type Showable = Polled & { createdAt: Date }

/**
 * Attempts that a maker has for certain and that, accepted longer ago than its visibility bound, it must show by its id and, where that is said, by
 * ours; the last sent first. Those that it was seen not to show are among them: without them older ones would speak for a replica that stands still.
 */
export const findShowable = (
  sql: Sql,
  { maker, visibilityMs, ageMs, byOwnId, limit }: { maker: string; visibilityMs: number; ageMs: number; byOwnId: boolean; limit: number },
) =>
  sql<Showable[]>`
    select id as "attemptId", maker_task_id as "makerTaskId", maker_model as "makerModel", echoed, created_at as "createdAt" from attempt
    where maker = ${maker} and created_at >= now() - ${ageMs}::float8 * interval '1 millisecond' and state in ('accepted', 'overdue', 'copying', 'completed') and (echoed or not ${byOwnId})
      and accepted_at < now() - ${visibilityMs}::float8 * interval '1 millisecond'
    order by created_at desc limit ${limit}`

/** How many of the attempts that a maker had accepted it knew nothing of within the window. */
export async function countVanished(sql: Sql, maker: string, windowMs: number): Promise<number> {
  const [row] = await sql<{ vanished: number }[]>`
    select count(*) as vanished from attempt
    where maker = ${maker} and absence_first_at is not null and accepted_at is not null
      and absence_last_at > now() - ${windowMs}::float8 * interval '1 millisecond'`
  return row?.vanished ?? 0
}

/** How many attempts a maker has accepted and not ended, counted by their jobs. */
export async function countRunning(sql: Sql, maker: string): Promise<number> {
  const [row] = await sql<{ running: number }[]>`
    select count(*) as running from job join attempt on attempt.id = job.id where attempt.maker = ${maker} and attempt.accepted_at is not null`
  return row?.running ?? 0
}
