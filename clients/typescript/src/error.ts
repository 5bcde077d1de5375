import type { ErrorCode, ErrorDetailsByCode, TaskError, VideoTask } from './generated.ts'

/**
 * What the client itself finds.
 * - `connection_failed`: no answer of the API, for longer than retries go on.
 * - `timeout`: `timeoutMs` passed. A task goes on: `wait(error.taskId)` resumes it.
 * - `aborted`: the caller's signal. A task goes on as well.
 * - `unexpected_answer`: not an answer of this API, such as a redirect or a proxy's page.
 * - `invalid_configuration`, `invalid_argument`: nothing was sent.
 * - `save_failed`, `upload_failed`: bytes did not arrive whole, or the disk refused them.
 * - `invalid_webhook`: the payload is not signed with this secret, or is too old.
 */
export type ClientErrorCode =
  | 'connection_failed'
  | 'timeout'
  | 'aborted'
  | 'unexpected_answer'
  | 'invalid_configuration'
  | 'invalid_argument'
  | 'save_failed'
  | 'upload_failed'
  | 'invalid_webhook'

/** Every `code` of an error: of a refusal, of a failed task, or of the client itself. */
export type FilmgateErrorCode = ErrorCode | TaskError['code'] | ClientErrorCode

/** What `details` holds beside a code. A file is also refused as an upload, where no task is named. */
export type DetailsOf<C extends FilmgateErrorCode> = C extends `media_${string}` & keyof ErrorDetailsByCode
  ? ErrorDetailsByCode[C] | undefined
  : C extends keyof ErrorDetailsByCode
    ? ErrorDetailsByCode[C]
    : undefined

/** Names of what a failed call was about. */
export type ErrorContext = { taskId?: string | undefined; idempotencyKey?: string | undefined; outcomeUnknown?: boolean | undefined }

type Facts<C extends FilmgateErrorCode> = ErrorContext & {
  code: C
  message: string
  status?: number | undefined
  details?: unknown
  requestId?: string | undefined
  retryAfterSeconds?: number | undefined
  task?: VideoTask | undefined
  cause?: unknown
}

/** Every failure of this client. `code` is for programs, `message` for people. */
export class FilmgateError<C extends FilmgateErrorCode = FilmgateErrorCode> extends Error {
  override readonly name = 'FilmgateError'
  readonly code: C
  /** The HTTP status, where the API answered. */
  readonly status: number | undefined
  /** Facts beside the code; `isCode` gives them their type. */
  readonly details: DetailsOf<C>
  /** Names the answer: tell it when you ask about one. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** The task that the error is about, where it is known: `wait(taskId)` goes on with it. */
  readonly taskId: string | undefined
  /** What the call sent: the same request with this key is the same task, and is charged once. */
  readonly idempotencyKey: string | undefined
  /**
   * True where a POST may have made a task and the error cannot say: it, or an attempt before it, may have arrived. The same request with
   * `idempotencyKey` tells, and is never charged twice. False after a definite refusal.
   */
  readonly outcomeUnknown: boolean
  /** The task as it was last read, where it failed. */
  readonly task: VideoTask | undefined

  constructor({ code, message, cause, ...facts }: Facts<C>) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = facts.status
    this.details = facts.details as DetailsOf<C>
    this.requestId = facts.requestId
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.taskId = facts.taskId
    this.idempotencyKey = facts.idempotencyKey
    this.outcomeUnknown = facts.outcomeUnknown ?? false
    this.task = facts.task
  }
}

/** Whether this is an error of Filmgate with that code; `details` then has the type of the code. */
export const isCode = <C extends FilmgateErrorCode>(error: unknown, code: C): error is FilmgateError<C> =>
  error instanceof FilmgateError && error.code === code

/** The error with what its caller knows beside it. */
export function withContext(error: FilmgateError, { taskId, idempotencyKey }: ErrorContext): FilmgateError {
  return Object.assign(error, { taskId: error.taskId ?? taskId, idempotencyKey: error.idempotencyKey ?? idempotencyKey })
}
