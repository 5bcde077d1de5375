import type { Job, NewJob } from '@filmgate/kit/jobs-repository'
import type { Attempt, State } from './attempt'
import type { Begun } from './begun'
import type { GenerationsEventInit } from './events'

/** What happens to the job that carries the attempt. */
export type Next =
  | { next: 'end' }
  | { next: 'again'; afterMs: number; payload?: object; resetTries?: boolean }
  /** Its next time stays as it was set when it was taken. */
  | { next: 'as-planned' }
  /** Ends this job and starts one of another kind for the same attempt. */
  | { next: 'hand-over'; job: NewJob }
  /** Surely nothing was accepted, and there is another way: ends this job and starts another attempt, leased to whoever writes this. */
  | { next: 'successor'; begun: Begun }

/** The maker knew nothing of it while it showed others of ours (`counts`) or didn't (`uncounted`, which begins the count anew); or knew it. */
export type Absence = 'counts' | 'uncounted' | 'cleared'

/** What a move writes beside the state; undefined leaves the column as it is. */
export type Columns = {
  makerTaskId?: string
  /** The maker named another id for it since: the one it has keeps no other attempt from having it. */
  makerTaskIdDisputed?: boolean
  code?: string
  cause?: string
  absenceAfterMs?: number
  senderLost?: boolean
  echoed?: boolean
  operatorAccepted?: boolean
  absence?: Absence
  /** A copy that fails: held for review while it is tried on, or tried anew (false). */
  heldForReview?: boolean
  outputKey?: string
  outputBytes?: number
  outputSha256?: string
  outputRetentionMs?: number
}

/** One step of an attempt: what its row, its job and the world get to know, written together or not at all. */
export type Move = {
  attempt: Attempt
  /** The lease under which this was decided; once it is lost nothing is written. */
  job: Job
  /** Absent: the state stays. */
  to?: State
  columns?: Columns
  events?: GenerationsEventInit[]
  after: Next
}
