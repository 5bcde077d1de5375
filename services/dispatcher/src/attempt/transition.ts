import { invariant } from '@filmgate/kit/failure'
import type { Job, NewJob } from '@filmgate/kit/jobs/job-repository'
import type { Delivery } from '../delivery/price-delivery'
import type { Billed, Connector } from '../providers/connector'
import type { Attempt, State } from './attempt'
import { type AcceptedTimes, accepted, type FailureCode, failed, type GenerationsEventInit, uncertain } from './events'
import type { PlannedAttempt } from './plan-attempts'

/** Every legal transition. */
const legal: Record<State, readonly State[]> = {
  sending: ['accepted', 'refused', 'unknown'],
  unknown: ['accepted', 'refused'],
  accepted: ['copying', 'failed', 'overdue'],
  overdue: ['copying', 'failed'],
  copying: ['completed', 'failed'],
  refused: [],
  completed: [],
  failed: [],
}

export function checkTransition(from: State, to: State): void {
  invariant(legal[from].includes(to), `an attempt that is ${from} can’t become ${to}`)
}

/** What happens to the job that carries the attempt. */
export type Next =
  | { next: 'end' }
  | { next: 'again'; afterMs: number; payload?: object; resetTries?: boolean }
  /** Its next time stays as it was set when it was taken. */
  | { next: 'as-planned' }
  /** Ends this job and starts one of another kind for the same attempt. */
  | { next: 'hand-over'; job: NewJob }
  /** It is certain that this attempt brings no video, and there is another way: ends this job and starts another attempt, leased to whoever writes this. */
  | { next: 'successor'; planned: PlannedAttempt }

/** The provider knew nothing of it while it showed others of ours (`counts`) or didn't (`uncounted`, which starts the count anew); or knew it. */
export type Absence = 'counts' | 'uncounted' | 'cleared'

/** What a transition writes beside the state; undefined leaves the column as it is. */
export type Columns = {
  providerTaskId?: string
  /** The provider named another id for it since: the one it has keeps no other attempt from having it. */
  providerTaskIdDisputed?: boolean
  code?: string
  cause?: string
  absenceAfterMs?: number
  senderLost?: boolean
  echoed?: boolean
  operatorAccepted?: boolean
  absence?: Absence
  /** Its provider says what we don't understand (`seen`), or what we do again. */
  unclear?: 'seen' | 'cleared'
  /** A copy that fails: held for review while it is tried on, or tried anew (false). */
  heldForReview?: boolean
  outputKey?: string
  outputBytes?: number
  outputSha256?: string
  outputRetentionMs?: number
  delivery?: Delivery
  dueCredits?: number
  /** What its provider told of its cost; what was told before stays where nothing is told now. */
  billedMicroUsd?: number
  billedMicroUnits?: number
}

export function billedColumns(billed: Billed | undefined): Columns {
  if (!billed) return {}
  return 'microUsd' in billed ? { billedMicroUsd: billed.microUsd } : { billedMicroUnits: billed.microUnits }
}

/** One change of an attempt: its row, its job and its events, written together or not at all. */
export type Transition = {
  attempt: Attempt
  /** The lease under which this was decided; once it is lost nothing is written. */
  job: Job
  /** Absent: the state stays. */
  to?: State
  columns?: Columns
  events?: GenerationsEventInit[]
  after: Next
}

export const acceptedTransition = (
  times: AcceptedTimes,
  attempt: Attempt,
  job: Job,
  connector: Connector,
  columns: Columns & { providerTaskId: string; echoed: boolean },
): Transition => ({
  attempt,
  job,
  to: 'accepted',
  columns: { ...columns, absence: 'cleared', unclear: 'cleared' },
  events: [accepted(attempt, times)],
  after: { next: 'again', afterMs: connector.cadence.firstMs, resetTries: true },
})

export const firstLookUpMs = 500

/** Published at once: the client is not kept waiting for a look-up that may take minutes. */
export const unknownTransition = (at: Date, attempt: Attempt, job: Job, columns: Columns & { cause: string }): Transition => ({
  attempt,
  job,
  to: 'unknown',
  columns,
  events: [uncertain(attempt, at, { cause: columns.cause, takenBy: at })],
  after: { next: 'again', afterMs: firstLookUpMs, resetTries: true },
})

export const failedTransition = (
  at: Date,
  attempt: Attempt,
  job: Job,
  { code, cause, billed }: { code: FailureCode; cause: string; billed?: Billed | undefined },
): Transition => ({
  attempt,
  job,
  to: 'failed',
  columns: { code, cause, ...billedColumns(billed) },
  events: [failed(attempt, at, code)],
  after: { next: 'end' },
})
