import type { Job } from '@filmgate/kit/jobs-repository'
import type { Cadence, Connector, PollAnswer } from '../makers/connector'
import type { Attempt, DueAttempt } from './attempt'
import type { Begun } from './begun'
import { accepted, copying, failed, refused, uncertain } from './events'
import { copyJob } from './jobs'
import type { Move, Next } from './move'

export type DecideDeps = {
  now: () => Date
  newOutputKey: () => string
  /** An accepted generation that takes longer is held for review; never refunded for it. */
  generationTimeoutMs: number
  /** Between polls of one that is overdue. */
  overduePollMs: number
  outputRetentionMs: number
}

/** An attempt whose time has come, and who can be asked about it. */
export type Due = { attempt: DueAttempt; job: Job; connector: Connector }

/** What a look-up by our own id said: the maker's id, or none. `asked` is false where there was no usable answer, or nobody to ask. */
export type LookedUp = { asked: boolean; found?: string }

export const firstLookUpMs = 500

/** Where look-ups are repeated; a maker without one gives nothing to ask for until an operator ends the review. */
export const lookUpCadence = ({ lookUp }: Connector): Cadence =>
  lookUp ? { firstMs: firstLookUpMs, growth: 2, maxMs: 15_000 } : { firstMs: 600_000, growth: 1, maxMs: 600_000 }

/**
 * After the submit's answer was lost, with the sender or with its process. Undefined: nothing is known that was not known before.
 * `again`: another attempt that may be made where this one surely never came to be.
 */
export function decideHealing(
  deps: DecideDeps,
  { attempt, job, connector }: Due,
  { asked, found }: LookedUp,
  again?: Begun,
): Move | undefined {
  const at = deps.now()
  if (found !== undefined) return acceptedMove(at, attempt, job, connector, { makerTaskId: found, echoed: true })
  if (asked && attempt.absenceProves) {
    const code = 'generation_unavailable'
    const cause = 'not found by our own id, past the visibility bound'
    const move = { attempt, job, to: 'refused' as const, columns: { code, cause } }
    if (again) return { ...move, after: { next: 'successor', begun: again } }
    return { ...move, events: [refused(attempt, at, code)], after: { next: 'end' } }
  }
  return decideUnanswered(deps, { attempt, job })
}

/** Nothing was learned, nobody can be asked, or what was said can't be written down: from its state and its age alone. */
export function decideUnanswered(deps: DecideDeps, { attempt, job }: Pick<Due, 'attempt' | 'job'>): Move | undefined {
  if (attempt.state === 'sending') {
    const cause = 'the sender ended before it wrote down the answer'
    return unknownMove(deps.now(), attempt, job, { cause, senderLost: true })
  }
  if (attempt.state !== 'accepted' || attempt.acceptedMsAgo < deps.generationTimeoutMs) return undefined
  return overdueMove(deps, attempt, job, { next: 'again', afterMs: deps.overduePollMs })
}

/** Told at once: the client is not kept waiting for a look-up that may take minutes. */
export const unknownMove = (
  at: Date,
  attempt: Attempt,
  job: Job,
  columns: { cause: string; absenceAfterMs?: number; senderLost?: boolean },
): Move => ({
  attempt,
  job,
  to: 'unknown',
  columns,
  events: [uncertain(attempt, at, columns.cause)],
  after: { next: 'again', afterMs: firstLookUpMs, resetTries: true },
})

export const acceptedMove = (
  at: Date,
  attempt: Attempt,
  job: Job,
  connector: Connector,
  columns: { makerTaskId: string; echoed: boolean },
): Move => ({
  attempt,
  job,
  to: 'accepted',
  columns,
  events: [accepted(attempt, at)],
  after: { next: 'again', afterMs: connector.cadence.firstMs, resetTries: true },
})

export function overdueMove({ now, generationTimeoutMs }: OverdueDeps, attempt: Attempt, job: Job, after: Next): Move {
  const cause = `not finished ${generationTimeoutMs} ms after it was accepted`
  return { attempt, job, to: 'overdue', columns: { cause }, events: [uncertain(attempt, now(), cause)], after }
}

export type OverdueDeps = Pick<DecideDeps, 'now' | 'generationTimeoutMs'>

/** After a poll; `answer` is undefined where the maker gave no usable one. Undefined: it is still running, and its next time is set. */
export function decidePoll(deps: DecideDeps, { attempt, job }: Due, answer: PollAnswer | undefined): Move | undefined {
  if (answer?.status === 'succeeded') return copyingMove(deps, attempt, job, answer.outputUrl)
  if (answer?.status === 'failed') return failedMove(deps.now(), attempt, job, answer)
  return decideUnanswered(deps, { attempt, job })
}

/** The maker doesn't know the id it gave. Only its look-up by our own id can tell which one is right, or that there is none. */
export function decideMissing(deps: DecideDeps, due: Due, { asked, found }: LookedUp): Move | undefined {
  const { attempt, job } = due
  if (found !== undefined && found !== attempt.makerTaskId)
    return {
      attempt,
      job,
      columns: { makerTaskId: found, echoed: true, cause: 'the maker’s first id was wrong' },
      after: { next: 'again', afterMs: 0 },
    }
  if (asked && found === undefined && attempt.absenceProves) {
    const cause = 'unknown to the maker by its id and by ours, past the visibility bound'
    return failedMove(deps.now(), attempt, job, { code: 'generation_failed', cause })
  }
  return decidePoll(deps, due, undefined)
}

export const failedMove = (at: Date, attempt: Attempt, job: Job, { code, cause }: Verdict): Move => ({
  attempt,
  job,
  to: 'failed',
  columns: { code, cause },
  events: [failed(attempt, at, code)],
  after: { next: 'end' },
})

type Verdict = Pick<Extract<PollAnswer, { status: 'failed' }>, 'code' | 'cause'>

const copyingMove = ({ now, newOutputKey, outputRetentionMs }: DecideDeps, attempt: Attempt, job: Job, url: string): Move => ({
  attempt,
  job,
  to: 'copying',
  columns: { outputKey: attempt.outputKey ?? newOutputKey(), outputRetentionMs },
  events: [copying(attempt, now())],
  after: { next: 'hand-over', job: { kind: copyJob, id: attempt.id, fairnessKey: attempt.accountId, payload: { url, faults: 0 } } },
})
