import type { Job } from '@filmgate/kit/jobs-repository'
import type { Sighting } from '../absence/sight-absence'
import type { Cadence, Connector, PollAnswer } from '../makers/connector'
import type { Attempt, DueAttempt, FailureCode } from './attempt'
import type { Begun } from './begun'
import type { Due } from './due'
import { accepted, copying, failed, refused, uncertain } from './events'
import { copyJob } from './jobs'
import type { Columns, Move } from './move'

export type DecideDeps = {
  now: () => Date
  newOutputKey: () => string
  /** An accepted generation that takes longer is held for review; never refunded for it. */
  generationTimeoutMs: number
  /** Between polls of one that is overdue. */
  overduePollMs: number
  outputRetentionMs: number
}

/** What a look-up by our own id said: the maker's id, or none, and what that is worth. Neither where there was no usable answer, or nobody to ask. */
export type LookedUp = { found?: string; sighting?: Sighting }

export const firstLookUpMs = 500

/** Where look-ups are repeated; a maker without one gives nothing to ask for until an operator ends the review. */
export const lookUpCadence = ({ lookUp, visibilityMs }: Connector, absenceSightingsMin: number): Cadence =>
  lookUp
    ? { firstMs: firstLookUpMs, growth: 2, maxMs: Math.min(15_000, Math.max(firstLookUpMs, visibilityMs / absenceSightingsMin)) }
    : { firstMs: 600_000, growth: 1, maxMs: 600_000 }

/**
 * After the submit's answer was lost, with the sender or with its process. Undefined: nothing is known that was not known before.
 * `again`: another attempt that may be made where this one surely never came to be.
 */
export function decideHealing(
  deps: DecideDeps,
  { attempt, job, connector }: Due,
  { found, sighting }: LookedUp,
  again?: Begun,
): Move | undefined {
  const at = deps.now()
  if (found !== undefined) return acceptedMove(at, attempt, job, connector, { makerTaskId: found, echoed: true })
  if (sighting?.proves) {
    const code = 'generation_unavailable'
    const cause = `not found by our own id, ${repeatedly(attempt)}`
    const move = { attempt, job, to: 'refused' as const, columns: { code, cause, absence: 'counts' as const } }
    if (again) return { ...move, after: { next: 'successor', begun: again } }
    return { ...move, events: [refused(attempt, at, code)], after: { next: 'end' } }
  }
  return decideUnanswered(deps, { attempt, job }, sighting)
}

const repeatedly = ({ absenceCount }: DueAttempt) =>
  `${absenceCount + 1} times over the visibility bound while the maker showed others of ours`

/** Nothing was learned, nobody can be asked, or what was said can't be written down: from its state and its age alone. */
export function decideUnanswered(deps: DecideDeps, { attempt, job }: Pick<Due, 'attempt' | 'job'>, sighting?: Sighting): Move | undefined {
  const seen = sighting && sightingColumns(sighting)
  if (attempt.state === 'sending') {
    const cause = 'the sender ended before it wrote down the answer'
    return unknownMove(deps.now(), attempt, job, { ...seen, cause, senderLost: true })
  }
  if (attempt.state === 'accepted' && attempt.acceptedMsAgo >= deps.generationTimeoutMs) {
    const cause = seen?.cause ?? `not finished ${deps.generationTimeoutMs} ms after it was accepted`
    return overdueMove(deps, attempt, job, { ...seen, cause })
  }
  return seen && { attempt, job, columns: seen, after: { next: 'as-planned' } }
}

const sightingColumns = ({ counts, words }: Sighting): Columns => ({
  absence: counts ? 'counts' : 'uncounted',
  ...(words !== undefined && { cause: words }),
})

/** Told at once: the client is not kept waiting for a look-up that may take minutes. */
export const unknownMove = (at: Date, attempt: Attempt, job: Job, columns: Columns & { cause: string }): Move => ({
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
  columns: Columns & { makerTaskId: string; echoed: boolean },
): Move => ({
  attempt,
  job,
  to: 'accepted',
  columns: { ...columns, absence: 'cleared' },
  events: [accepted(attempt, at)],
  after: { next: 'again', afterMs: connector.cadence.firstMs, resetTries: true },
})

const overdueMove = ({ now, overduePollMs }: DecideDeps, attempt: Attempt, job: Job, columns: Columns & { cause: string }): Move => ({
  attempt,
  job,
  to: 'overdue',
  columns,
  events: [uncertain(attempt, now(), columns.cause)],
  after: { next: 'again', afterMs: overduePollMs },
})

/** After a poll; `answer` is undefined where the maker gave no usable one. Undefined: it is still running, and its next time is set. */
export function decidePoll(
  deps: DecideDeps,
  { attempt, job }: Due,
  answer: Exclude<PollAnswer, { status: 'inputs-unread' }> | undefined,
): Move | undefined {
  if (answer?.status === 'succeeded') return copyingMove(deps, attempt, job, answer.outputUrl)
  if (answer?.status === 'failed') return failedMove(deps.now(), attempt, job, answer)
  const unanswered = decideUnanswered(deps, { attempt, job })
  if (answer?.status !== 'running' || attempt.absenceFirstMsAgo === null) return unanswered
  const move = unanswered ?? { attempt, job, after: { next: 'as-planned' } }
  return { ...move, columns: { ...move.columns, absence: 'cleared' } }
}

/** The maker doesn't know the id it gave. Only its look-up by our own id can tell which one is right, or that there is none. */
export function decideMissing(deps: DecideDeps, due: Due, { found, sighting }: LookedUp): Move | undefined {
  const { attempt, job } = due
  if (found !== undefined && found !== attempt.makerTaskId)
    return {
      attempt,
      job,
      columns: { makerTaskId: found, echoed: true, absence: 'cleared', cause: 'the maker’s first id was wrong' },
      after: { next: 'again', afterMs: 0 },
    }
  if (!sighting?.proves) return decideUnanswered(deps, due, sighting)
  const cause = `unknown to the maker by its id and by ours, ${repeatedly(attempt)}`
  if (attempt.operatorAccepted) return backToReview(deps, due, `${cause}, though an operator named its id`)
  const move = failedMove(deps.now(), attempt, job, { code: 'generation_failed', cause })
  return { ...move, columns: { ...move.columns, absence: 'counts' } }
}

/** A person has seen it at the maker: that the maker knows nothing of it is for a person to judge. */
function backToReview(deps: DecideDeps, { attempt, job }: Due, cause: string): Move {
  const columns: Columns & { cause: string } = { cause, absence: 'counts' }
  if (attempt.state === 'accepted') return overdueMove(deps, attempt, job, columns)
  return { attempt, job, columns, after: { next: 'as-planned' } }
}

/**
 * The maker gave up what it had accepted because it couldn't read our copies of the inputs. `again`: another attempt, or `held` until our store
 * shows them; undefined where the admission is over, and then it has failed for a fault of ours.
 */
export function decideUnread(deps: DecideDeps, { attempt, job }: Due, words: string, again: Begun | 'held' | undefined): Move {
  const code = 'generation_unavailable'
  const cause = `our copies of the inputs could not be read: ${words}`
  if (again === 'held') return { attempt, job, columns: { cause }, after: { next: 'as-planned' } }
  if (again) return { attempt, job, to: 'failed', columns: { code, cause }, after: { next: 'successor', begun: again } }
  return failedMove(deps.now(), attempt, job, { code, cause })
}

export const failedMove = (at: Date, attempt: Attempt, job: Job, { code, cause }: Verdict): Move => ({
  attempt,
  job,
  to: 'failed',
  columns: { code, cause },
  events: [failed(attempt, at, code)],
  after: { next: 'end' },
})

type Verdict = { code: FailureCode; cause: string }

const copyingMove = ({ now, newOutputKey, outputRetentionMs }: DecideDeps, attempt: Attempt, job: Job, url: string): Move => ({
  attempt,
  job,
  to: 'copying',
  columns: { outputKey: attempt.outputKey ?? newOutputKey(), outputRetentionMs, absence: 'cleared' },
  events: [copying(attempt, now())],
  after: { next: 'hand-over', job: { kind: copyJob, id: attempt.id, fairnessKey: attempt.accountId, payload: { url, faults: 0 } } },
})
