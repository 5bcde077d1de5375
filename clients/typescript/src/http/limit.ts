import { type ErrorContext, FilmgateError } from '../error.ts'
import { watchdog } from './watchdog.ts'

/** What callers say of any call. */
export type CallOptions = {
  /** Ends the call with the code `aborted`. */
  signal?: AbortSignal | undefined
  /** How long the call goes on, its retries included. */
  timeoutMs?: number | undefined
}

/** The end of one call, which all its requests share, and what its errors name. */
export type Limit = ErrorContext & {
  endsAt: number
  timeoutMs: number
  signal: AbortSignal | undefined
  /** Whether the caller chose the end: then nothing ends the call before. */
  chosen: boolean
}

/** Without an answer, or a byte, so long a call ends, unless its caller chose another end. */
export const outageMs = 300_000

export const limitOf = ({ signal, timeoutMs }: CallOptions, fallbackMs: number, context: ErrorContext = {}): Limit => ({
  ...context,
  endsAt: performance.now() + (timeoutMs ?? fallbackMs),
  timeoutMs: timeoutMs ?? fallbackMs,
  signal,
  chosen: timeoutMs !== undefined,
})

export const leftMs = ({ endsAt }: Limit): number => endsAt - performance.now()

/** Why the call is over: the caller's signal, or its time; undefined while it goes on. */
export function endOf(limit: Limit, cause?: unknown): FilmgateError | undefined {
  const { signal, taskId, idempotencyKey, outcomeUnknown } = limit
  if (signal?.aborted) {
    const message = `Aborted by the caller.${resumeWords(limit)}`
    return new FilmgateError({ code: 'aborted', message, cause: signal.reason, taskId, idempotencyKey, outcomeUnknown })
  }
  return leftMs(limit) > 0 ? undefined : timedOut(limit, cause)
}

export function timedOut(limit: Limit, cause?: unknown): FilmgateError {
  const { taskId, idempotencyKey, outcomeUnknown, timeoutMs } = limit
  const message = `Not done within ${Math.round(timeoutMs / 1_000)} s.${resumeWords(limit)}`
  return new FilmgateError({ code: 'timeout', message, cause, taskId, idempotencyKey, outcomeUnknown })
}

/** How a caller goes on with what the server may still be making; empty where it makes nothing. */
export function resumeWords({ taskId, idempotencyKey, outcomeUnknown }: ErrorContext): string {
  if (taskId) return ` The task ${taskId} goes on: wait('${taskId}') resumes it.`
  if (idempotencyKey && outcomeUnknown)
    return ` Whether there is a task is not known: the same request with idempotencyKey '${idempotencyKey}' is never charged twice.`
  return ''
}

/** Waits, but not beyond the call's end. */
export async function pause(ms: number, limit: Limit, cause?: unknown): Promise<void> {
  const over = endOf(limit, cause)
  if (over) throw over
  const dog = watchdog(limit.signal)
  dog.allow(Math.min(ms, leftMs(limit)))
  await dog.race(new Promise<never>(() => {})).catch(() => {})
  dog.close()
  const now = endOf(limit, cause)
  if (now) throw now
}
