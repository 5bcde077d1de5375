import type { Job } from '@filmgate/kit/jobs-repository'
import type { Connector, PollAnswer } from '../makers/connector'
import type { DueAttempt } from './attempt'
import { accepted, copying, failed, refused, uncertain } from './events'
import { copyJob, type Move } from './move'

export type DecideDeps = {
  now: () => Date
  newOutputKey: () => string
  /** An accepted generation that takes longer is held for review; never refunded for it. */
  generationTimeoutMs: number
  /** Between polls of one that is overdue. */
  overduePollMs: number
  outputRetentionMs: number
}

const lookUpFirstMs = 500
const lookUpEveryMsMax = 15_000
/** Where a maker offers no look-up: an operator ends the review, and this is only a sign of life. */
const withoutLookUpMs = 600_000

const lookUpAfterMs = (tries: number) => Math.min(lookUpEveryMsMax, lookUpFirstMs * 2 ** Math.min(tries, 10))

/** After the submit's answer was lost, with the sender or with its process. `found` is the maker's id; `asked` is false where asking failed or isn't possible. */
export function decideHealing(
  { now }: Pick<DecideDeps, 'now'>,
  {
    attempt,
    job,
    connector,
    asked,
    found,
  }: { attempt: DueAttempt; job: Job; connector: Connector; asked: boolean; found?: string | undefined },
): Move {
  if (found !== undefined) return acceptedMove(now(), attempt, job, connector, found)
  if (asked && attempt.absenceProves) {
    const cause = 'not found by our own id, past the visibility bound'
    return {
      attempt,
      job,
      to: 'refused',
      columns: { code: 'generation_unavailable', cause },
      events: [refused(attempt, now(), 'generation_unavailable')],
      after: { next: 'end' },
    }
  }
  const untilProof = attempt.absenceProvesInMs > 0 ? attempt.absenceProvesInMs + 50 : Number.POSITIVE_INFINITY
  const afterMs = connector.lookUp ? Math.min(lookUpAfterMs(job.tries), untilProof) : withoutLookUpMs
  if (attempt.state === 'unknown') return { attempt, job, after: { next: 'again', afterMs } }
  const cause = 'the sender ended before it wrote down the answer'
  return {
    attempt,
    job,
    to: 'unknown',
    columns: { cause },
    events: [uncertain(attempt, now(), cause)],
    after: { next: 'again', afterMs, resetTries: true },
  }
}

export const acceptedMove = (
  at: Date,
  attempt: DueAttempt | Move['attempt'],
  job: Job,
  connector: Connector,
  makerTaskId: string,
): Move => ({
  attempt,
  job,
  to: 'accepted',
  columns: { makerTaskId },
  events: [accepted(attempt, at)],
  after: { next: 'again', afterMs: connector.pollAfterMs(0), resetTries: true },
})

/** After a poll. `answer` is undefined where the maker gave no usable one. */
export function decidePoll(
  deps: DecideDeps,
  { attempt, job, connector, answer }: { attempt: DueAttempt; job: Job; connector: Connector; answer: PollAnswer | undefined },
): Move {
  const { now } = deps
  if (answer?.status === 'succeeded') return copyingMove(deps, attempt, job, answer.outputUrl)
  if (answer?.status === 'failed') {
    const { code, cause } = answer
    return { attempt, job, to: 'failed', columns: { code, cause }, events: [failed(attempt, now(), code)], after: { next: 'end' } }
  }
  if (attempt.state === 'overdue') return { attempt, job, after: { next: 'again', afterMs: deps.overduePollMs } }
  if (attempt.acceptedMsAgo >= deps.generationTimeoutMs) {
    const cause = `not finished ${deps.generationTimeoutMs} ms after it was accepted`
    return {
      attempt,
      job,
      to: 'overdue',
      columns: { cause },
      events: [uncertain(attempt, now(), cause)],
      after: { next: 'again', afterMs: deps.overduePollMs },
    }
  }
  return { attempt, job, after: { next: 'again', afterMs: connector.pollAfterMs(job.tries) } }
}

/** The maker doesn't know the id it gave. Only its look-up by our own id can tell which one is right, or that there is none. */
export function decideMissing(
  deps: DecideDeps,
  {
    attempt,
    job,
    connector,
    asked,
    found,
  }: { attempt: DueAttempt; job: Job; connector: Connector; asked: boolean; found?: string | undefined },
): Move {
  if (found !== undefined && found !== attempt.makerTaskId)
    return { attempt, job, columns: { makerTaskId: found, cause: 'the maker’s first id was wrong' }, after: { next: 'again', afterMs: 0 } }
  if (asked && found === undefined && attempt.absenceProves) {
    const cause = 'unknown to the maker by its id and by ours, past the visibility bound'
    return {
      attempt,
      job,
      to: 'failed',
      columns: { code: 'generation_failed', cause },
      events: [failed(attempt, deps.now(), 'generation_failed')],
      after: { next: 'end' },
    }
  }
  return decidePoll(deps, { attempt, job, connector, answer: undefined })
}

function copyingMove({ now, newOutputKey, outputRetentionMs }: DecideDeps, attempt: DueAttempt, job: Job, url: string): Move {
  return {
    attempt,
    job,
    to: 'copying',
    columns: { outputKey: newOutputKey(), outputRetentionMs },
    events: [copying(attempt, now())],
    after: { next: 'hand-over', job: { kind: copyJob, id: attempt.id, fairnessKey: attempt.accountId, payload: { url, faults: 0 } } },
  }
}
