import type { Job, NewJob } from '@filmgate/kit/jobs-repository'
import type { Attempt, State } from './attempt'
import type { Begun } from './begun'
import type { GenerationsEventInit } from './events'

/** What happens to the job that carries the attempt. */
export type Next =
  | { next: 'end' }
  | { next: 'again'; afterMs: number; payload?: object; resetTries?: boolean }
  /** Ends this job and starts one of another kind for the same attempt. */
  | { next: 'hand-over'; job: NewJob }
  /** Surely nothing was accepted, and there is another way: ends this job and starts another attempt, leased to whoever writes this. */
  | { next: 'successor'; begun: Begun }

/** What a move writes beside the state; undefined leaves the column as it is. */
export type Columns = {
  makerTaskId?: string
  code?: string
  cause?: string
  absenceAfterMs?: number
  senderLost?: boolean
  echoed?: boolean
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
