import type { Job, NewJob } from '@filmgate/kit/jobs-repository'
import type { Attempt, State } from './attempt'
import type { Columns, NewAttempt } from './attempt-repository'
import type { GenerationsEventInit } from './events'

/** Job kinds. `attempt`: submit, look-up and poll, the attempt's state says which. `copy`: its output. The id is the attempt's. */
export const attemptJob = 'attempt'
export const copyJob = 'copy'

/** What happens to the job that carries the attempt. */
export type Next =
  | { next: 'end' }
  | { next: 'again'; afterMs: number; payload?: object; resetTries?: boolean }
  /** Ends this job and starts one of another kind for the same attempt. */
  | { next: 'hand-over'; job: NewJob }
  /** A definite refusal with a further route: ends this job and starts another attempt, leased to whoever writes this. */
  | { next: 'successor'; attempt: NewAttempt }

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
