import type { Sql } from '@filmgate/kit/database/postgres'
import type { Polled } from '../providers/connector'

export type MustKnow = Polled & { createdAt: Date }

/**
 * Attempts that a provider has for certain and that, accepted longer ago than its visibility bound, it must know by its id and, with `byOwnId`, by
 * ours; the last sent first. Those that were missed before are among them: without them older ones would speak for a replica that stands still.
 */
export const findMustKnow = (
  sql: Sql,
  {
    provider,
    visibilityMs,
    ageMs,
    byOwnId,
    limit,
  }: { provider: string; visibilityMs: number; ageMs: number; byOwnId: boolean; limit: number },
) =>
  sql<MustKnow[]>`
    select id as "attemptId", provider_task_id as "providerTaskId", provider_model as "providerModel", echoed, created_at as "createdAt" from attempt
    where provider = ${provider} and created_at >= now() - ${ageMs}::float8 * interval '1 millisecond' and state in ('accepted', 'overdue', 'copying', 'completed') and (echoed or not ${byOwnId})
      and accepted_at < now() - ${visibilityMs}::float8 * interval '1 millisecond'
    order by created_at desc limit ${limit}`

/** How many of the attempts that a provider had accepted it knew nothing of within the window. */
export async function countMissing(sql: Sql, provider: string, windowMs: number): Promise<number> {
  const [row] = await sql<{ missing: number }[]>`
    select count(*) as missing from attempt
    where provider = ${provider} and absence_first_at is not null and accepted_at is not null
      and absence_last_at > now() - ${windowMs}::float8 * interval '1 millisecond'`
  return row?.missing ?? 0
}

/** How many attempts a provider has accepted and not ended, counted by their jobs. */
export async function countRunning(sql: Sql, provider: string): Promise<number> {
  const [row] = await sql<{ running: number }[]>`
    select count(*) as running from job join attempt on attempt.id = job.id where attempt.provider = ${provider} and attempt.accepted_at is not null`
  return row?.running ?? 0
}
