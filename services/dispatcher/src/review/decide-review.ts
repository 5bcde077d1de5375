import type { Job } from '@filmgate/kit/jobs/job-repository'
import type { Attempt } from '../attempt/attempt'
import { failed, refused } from '../attempt/events'
import { attemptJob, recopyJob } from '../attempt/jobs'
import type { Columns, Next, Transition } from '../attempt/transition'
import type { CopyPayload } from '../output/decide-copy'

export const outcomes = ['retry', 'refund', 'accept'] as const
export type ReviewOutcome = (typeof outcomes)[number]

/** The kind of the job that carries an attempt in review. */
export const jobKindOf = ({ state }: Pick<Attempt, 'state'>) => (state === 'copying' ? recopyJob : attemptJob)

/** Its look-up, its poll or its copy is tried again; a copy for as long as a new one, and under the same key. */
export const retried = (attempt: Attempt, job: Job, afterMs = 0): Transition => ({
  attempt,
  job,
  columns: anew(attempt),
  after: onceMore(attempt, job, afterMs),
})

/** An operator says that the provider has it, under an id that is known: it is asked about, and no absence ends it. */
export const acceptedAsKnown = (attempt: Attempt, job: Job, own: Columns = {}, afterMs = 0): Transition => ({
  attempt,
  job,
  columns: { ...own, operatorAccepted: true, absence: 'cleared', ...anew(attempt) },
  after: onceMore(attempt, job, afterMs),
})

/** The provider never made it, or never will: the client gets its credits back. */
export function refunded(attempt: Attempt, job: Job, at: Date, { by, reason }: { by: string | null; reason: string }): Transition {
  const cause = `${by} decided: ${reason}`.slice(0, 500)
  if (attempt.state === 'unknown') {
    const code = 'generation_unavailable'
    return { attempt, job, to: 'refused', columns: { code, cause }, events: [refused(attempt, at, code)], after: { next: 'end' } }
  }
  const code = attempt.state === 'copying' ? 'output_unavailable' : 'generation_failed'
  return { attempt, job, to: 'failed', columns: { code, cause }, events: [failed(attempt, at, code)], after: { next: 'end' } }
}

const anew = ({ state }: Attempt): Columns => (state === 'copying' ? { heldForReview: false } : {})

/** The next copy asks the provider for a fresh URL, and the counts of the tries before it start anew. */
function onceMore({ state }: Attempt, job: Job, afterMs: number): Next {
  if (state !== 'copying') return { next: 'again', afterMs, resetTries: true }
  const { url = '' } = job.payload as Partial<CopyPayload>
  return { next: 'again', afterMs, resetTries: true, payload: { url, faults: 1 } satisfies CopyPayload }
}
