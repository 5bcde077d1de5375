import type { Sql } from '@filmgate/kit/database/postgres'
import { attemptJob, recopyJob } from '../attempt/jobs'
import { newAttemptId } from './attempt-id'

export type Reviews = {
  provider: string
  count?: number
  state?: 'unknown' | 'overdue' | 'copying'
  model?: string
  cause?: string
  credits?: number | null
  minutesAgo?: number
  /** An id of the provider's that its signed callback told. */
  calledBack?: boolean
}

/** Attempts that are held for review, each with its job, which nobody holds; their ids, oldest first. */
export async function fillReviews(sql: Sql, given: Reviews): Promise<string[]> {
  const { provider, count = 1, state = 'unknown', model = 'alpha-h3', cause = 'the answer was lost', credits = 40 } = given
  const { minutesAgo = 60, calledBack = false } = given
  const ids = Array.from({ length: count }, newAttemptId)
  const hasId = state !== 'unknown'
  await sql`
    insert into attempt (id, task_id, account_id, number, provider, provider_model, model, state, provider_task_id, absence_proves_at, cause, credits, output_key,
                         review_since, order_topic, order_event)
    select id, 'vt_' || id, 'acc_' || n % 50, 1, ${provider}, 'theirs', ${model}, ${state}, case when ${hasId} then 'task-' || id end, now(), ${cause}, ${credits},
           case when ${state} = 'copying' then id end, now() - ${minutesAgo}::float8 * interval '1 minute' + n * interval '1 millisecond', 'credits', 'x'::bytea
    from unnest(${ids}::text[]) with ordinality as row (id, n)`
  const payload = state === 'copying' ? { url: 'https://a.example/v.mp4', faults: 9 } : calledBack ? { calledBackAs: 'theirs-1' } : {}
  await sql`
    insert into job (kind, id, fairness_key, payload, run_at, epoch, tries)
    select ${state === 'copying' ? recopyJob : attemptJob}, id, 'acc', ${JSON.stringify(payload)}::text::jsonb, now() + interval '1 hour', 3, 7
    from unnest(${ids}::text[]) as id`
  return ids
}
