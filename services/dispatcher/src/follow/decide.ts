import type { Job } from '@filmgate/kit/jobs/job-repository'
import type { Miss } from '../absence/record-miss'
import type { Attempt, Due, DueAttempt } from '../attempt/attempt'
import { copying, refused, uncertain, waitingFor } from '../attempt/events'
import { copyJob } from '../attempt/jobs'
import type { PlannedAttempt } from '../attempt/plan-attempts'
import {
  acceptedTransition,
  billedColumns,
  type Columns,
  failedTransition,
  firstLookUpMs,
  type Transition,
  unknownTransition,
} from '../attempt/transition'
import type { Cadence, Connector, PollAnswer } from '../providers/connector'

export type DecideDeps = {
  now: () => Date
  newOutputKey: () => string
  /** An accepted generation that takes longer is held for review; never refunded for it. */
  generationTimeoutMs: number
  /** Between polls of one that is overdue. */
  overduePollMs: number
  outputRetentionMs: number
  /** An accepted generation of which its provider says for so long what we don't understand is held for review. */
  outputReviewAfterMs: number
}

/** A provider's id for an attempt, by the provider's own word; whether the provider repeats ours beside it. */
export type FoundId = { providerTaskId: string; echoed: boolean }

/** What was found of an attempt: the provider's id, or none, and what that is worth. Neither where there was no usable answer, or nobody to ask. */
export type LookedUp = { found?: FoundId; miss?: Miss }

/** Where look-ups are repeated; a provider without one gives nothing to ask for until an operator ends the review. */
export const lookUpCadence = ({ lookUp, capabilities }: Connector, absenceSightingsMin: number): Cadence =>
  lookUp
    ? {
        firstMs: firstLookUpMs,
        growth: 2,
        maxMs: Math.min(15_000, Math.max(firstLookUpMs, capabilities.visibilityMs / absenceSightingsMin)),
      }
    : { firstMs: 600_000, growth: 1, maxMs: 600_000 }

/**
 * After the submit's answer was lost, with the sender or with its process. Undefined: nothing is known that was not known before.
 * `successor`: another attempt that may be made where it is certain that the provider has nothing of this one.
 */
export function decideHealing(
  deps: DecideDeps,
  { attempt, job, connector }: Due,
  { found, miss }: LookedUp,
  successor?: PlannedAttempt,
): Transition | undefined {
  const at = deps.now()
  if (found !== undefined) {
    const heldAfter = new Date(at.getTime() + deps.generationTimeoutMs)
    return acceptedTransition({ at, heldAfter }, attempt, job, connector, found)
  }
  if (miss?.proves) {
    const columns = { cause: `not found by our own id, ${repeatedly(attempt)}`, absence: 'counts' as const }
    return neverAccepted(at, { attempt, job }, columns, successor)
  }
  return decideUnanswered(deps, { attempt, job }, miss)
}

/** Its sender ended while it uploaded the inputs, so that no provider was asked. */
export const decideNotSubmitted = ({ now }: DecideDeps, due: Due, successor: PlannedAttempt | undefined): Transition =>
  neverAccepted(now(), due, { cause: 'not sent: its sender ended while it uploaded the inputs' }, successor)

function neverAccepted(at: Date, { attempt, job }: Pick<Due, 'attempt' | 'job'>, columns: Columns, successor?: PlannedAttempt): Transition {
  const code = 'generation_unavailable'
  const transition = { attempt, job, to: 'refused' as const, columns: { ...columns, code } }
  if (successor) return { ...transition, after: { next: 'successor', planned: successor } }
  return { ...transition, events: [refused(attempt, at, code)], after: { next: 'end' } }
}

/** The id that its provider's callback named is not its own: it stays as it is, and whoever reviews it reads why. */
export const refusedIdTransition = ({ attempt, job }: Due, cause: string): Transition => ({
  attempt,
  job,
  columns: { cause },
  after: { next: 'as-planned' },
})

const repeatedly = ({ absenceCount }: DueAttempt) =>
  `${absenceCount + 1} times over the visibility bound while the provider showed others of ours`

/** Nothing was learned, nobody can be asked, or the answer can't be written down: decides from the attempt's state and age alone. */
export function decideUnanswered(deps: DecideDeps, { attempt, job }: Pick<Due, 'attempt' | 'job'>, miss?: Miss): Transition | undefined {
  const seen = miss && missColumns(miss)
  if (attempt.state === 'sending') {
    const cause = 'the sender ended before it wrote down the answer'
    return unknownTransition(deps.now(), attempt, job, { ...seen, cause, senderLost: true })
  }
  if (attempt.state === 'accepted' && attempt.acceptedMsAgo >= deps.generationTimeoutMs) {
    const cause = seen?.cause ?? `not finished ${deps.generationTimeoutMs} ms after it was accepted`
    return overdueTransition(deps, attempt, job, { ...seen, cause })
  }
  return seen && { attempt, job, columns: seen, after: { next: 'as-planned' } }
}

const missColumns = ({ counts, cause }: Miss): Columns => ({
  absence: counts ? 'counts' : 'uncounted',
  ...(cause !== undefined && { cause }),
})

function overdueTransition(
  { now, overduePollMs }: DecideDeps,
  attempt: DueAttempt,
  job: Job,
  columns: Columns & { cause: string },
): Transition {
  const at = now()
  const takenBy = new Date(at.getTime() - attempt.acceptedMsAgo)
  const events = [uncertain(attempt, at, { cause: columns.cause, takenBy })]
  return { attempt, job, to: 'overdue', columns, events, after: { next: 'again', afterMs: overduePollMs } }
}

/** After a poll; `answer` is undefined where the provider gave no usable one. Undefined: it is still running, and its next time is set. */
export function decidePoll(
  deps: DecideDeps,
  { attempt, job }: Due,
  answer: Exclude<PollAnswer, { status: 'inputs-unread' }> | undefined,
): Transition | undefined {
  if (answer?.status === 'succeeded') return copyingTransition(deps, attempt, job, answer)
  if (answer?.status === 'failed') return failedTransition(deps.now(), attempt, job, answer)
  if (answer?.status === 'cancelled')
    return failedTransition(deps.now(), attempt, job, { ...answer, code: attempt.cancelAsked ? 'cancelled' : 'generation_failed' })
  const unanswered = decideUnanswered(deps, { attempt, job })
  if (answer?.status !== 'running') return unanswered
  const columns: Columns = { ...(attempt.absenceFirstMsAgo !== null && { absence: 'cleared' }), ...unclearColumns(attempt, answer) }
  if (!unanswered && isUnclear(deps, attempt, answer)) {
    const cause = `its provider says “${answer.unknownWord}”, which is neither a video nor an end`
    return overdueTransition(deps, attempt, job, { ...columns, cause })
  }
  if (Object.keys(columns).length === 0) return unanswered
  const transition = unanswered ?? { attempt, job, events: unclearEvents(deps, attempt, columns), after: { next: 'as-planned' } }
  return { ...transition, columns: { ...transition.columns, ...columns } }
}

/** Its client reads that something is missing, and until when it is waited for. */
function unclearEvents({ now, outputReviewAfterMs, generationTimeoutMs }: DecideDeps, attempt: DueAttempt, { unclear }: Columns) {
  if (unclear === undefined || attempt.state !== 'accepted') return []
  const at = now()
  const [what, waitMs] = unclear === 'seen' ? (['status', outputReviewAfterMs] as const) : (['nothing', Number.POSITIVE_INFINITY] as const)
  const heldAfterMs = Math.min(waitMs, generationTimeoutMs - attempt.acceptedMsAgo)
  return [waitingFor(attempt, at, { what, heldAfter: new Date(at.getTime() + heldAfterMs) })]
}

type Running = Extract<PollAnswer, { status: 'running' }>

/** Written when it begins and when it is over, not with every poll. */
function unclearColumns({ unclearMsAgo }: DueAttempt, { unknownWord }: Running): Columns {
  if (unknownWord === undefined) return unclearMsAgo === null ? {} : { unclear: 'cleared' }
  return unclearMsAgo === null ? { unclear: 'seen' } : {}
}

const isUnclear = ({ outputReviewAfterMs }: DecideDeps, { state, unclearMsAgo }: DueAttempt, { unknownWord }: Running): boolean =>
  state === 'accepted' && unknownWord !== undefined && unclearMsAgo !== null && unclearMsAgo >= outputReviewAfterMs

/** The provider doesn't know the id it gave. Only its look-up by our own id shows which one is right, or that there is none. */
export function decideMissing(deps: DecideDeps, due: Due, { found, miss }: LookedUp): Transition | undefined {
  const { attempt, job } = due
  if (found !== undefined && found.providerTaskId !== attempt.providerTaskId)
    return {
      attempt,
      job,
      columns: { ...found, absence: 'cleared', cause: 'the provider’s first id was wrong' },
      after: { next: 'again', afterMs: 0 },
    }
  if (!miss?.proves) return decideUnanswered(deps, due, miss)
  const cause = `unknown to the provider by its id and by ours, ${repeatedly(attempt)}`
  if (attempt.operatorAccepted) return backToReview(deps, due, `${cause}, though an operator named its id`)
  const transition = failedTransition(deps.now(), attempt, job, { code: 'generation_failed', cause })
  return { ...transition, columns: { ...transition.columns, absence: 'counts' } }
}

/** An operator has seen it at the provider, so an operator judges what it means that the provider knows nothing of it. */
function backToReview(deps: DecideDeps, { attempt, job }: Due, cause: string): Transition {
  const columns: Columns & { cause: string } = { cause, absence: 'counts' }
  if (attempt.state === 'accepted') return overdueTransition(deps, attempt, job, columns)
  return { attempt, job, columns, after: { next: 'as-planned' } }
}

/**
 * The provider gave up what it had accepted because it couldn't read our copies of the inputs. `successor`: another attempt, or `not-yet` until our
 * store shows them; undefined where the admission is over, and then it has failed for a fault of ours.
 */
export function decideUnread(
  deps: DecideDeps,
  { attempt, job }: Due,
  { cause: words, billed }: Pick<Extract<PollAnswer, { status: 'inputs-unread' }>, 'cause' | 'billed'>,
  successor: PlannedAttempt | 'not-yet' | undefined,
): Transition {
  const code = 'generation_unavailable'
  const cause = `our copies of the inputs could not be read: ${words}`
  const columns: Columns = { cause, ...billedColumns(billed) }
  if (successor === 'not-yet') return { attempt, job, columns, after: { next: 'as-planned' } }
  if (successor) return { attempt, job, to: 'failed', columns: { code, ...columns }, after: { next: 'successor', planned: successor } }
  return failedTransition(deps.now(), attempt, job, { code, cause, billed })
}

const copyingTransition = (
  { now, newOutputKey, outputRetentionMs }: DecideDeps,
  attempt: Attempt,
  job: Job,
  { outputUrl: url, billed }: Extract<PollAnswer, { status: 'succeeded' }>,
): Transition => ({
  attempt,
  job,
  to: 'copying',
  columns: { outputKey: attempt.outputKey ?? newOutputKey(), outputRetentionMs, absence: 'cleared', ...billedColumns(billed) },
  events: [copying(attempt, now())],
  after: { next: 'hand-over', job: { kind: copyJob, id: attempt.id, fairnessKey: attempt.accountId, payload: { url, faults: 0 } } },
})
