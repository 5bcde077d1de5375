/** Reason → HTTP status and the words the caller reads. Each service lists its own in errors.ts. */
export type Reasons = Record<string, readonly [status: number, message: string]>

export type FailureOptions = {
  /** Shown to the caller as `error.details`. */
  details?: object
  /** Replaces the table's words where the caller needs to know more. */
  message?: string
  /** Shown as Retry-After. */
  retryAfterSeconds?: number
  /** For the log only. */
  internal?: string
  cause?: unknown
}

/** A refusal the caller can act on. `internal` and `cause` are for the log and never leave the service. */
export class Failure<R extends string = string> extends Error {
  override name = 'Failure'
  constructor(
    readonly reason: R,
    readonly options: FailureOptions = {},
  ) {
    super(options.internal ?? reason, { cause: options.cause })
  }
}

/** Whoever asked has left: nobody hears the answer, and nothing failed of ours. */
export class ClientGoneError extends Error {
  override name = 'ClientGoneError'
}

export class InvariantError extends Error {
  override name = 'InvariantError'
}

/** A programmer's mistake: stops the request loudly. */
export function invariant(condition: unknown, words: string): asserts condition {
  if (!condition) throw new InvariantError(`invariant: ${words}`)
}
