import type { FilmgateError } from '../error.ts'

/**
 * Which requests may be sent again where it is not known whether they arrived: `any` that change nothing or carry an Idempotency-Key; `refused`
 * only those that the server surely did not take.
 */
export type Repeat = 'any' | 'refused'

const attemptsOfDefiniteMax = 3

/** Whether the same bytes may be sent again after this error. */
export function mayRepeat(error: FilmgateError, repeat: Repeat, attempts: number): boolean {
  const { code, status, taskId } = error
  if (status === 429) return true
  if (repeat === 'refused') return false
  if (code === 'connection_failed') return true
  if (status === undefined || (status < 500 && status !== 408)) return false
  // The task is known: reading it tells more than sending the request again.
  if (code === 'acceptance_uncertain' || (code === 'generation_unavailable' && taskId !== undefined)) return false
  if (code === 'generation_unavailable' || code === 'internal_error') return attempts < attemptsOfDefiniteMax
  return true
}

const firstMs = 500
const longestMs = 15_000

/** Milliseconds until the next attempt: what the server says and a little more, else twice as long each time; with jitter. */
export function retryDelayMs(attempts: number, retryAfterSeconds: number | undefined): number {
  const backOffMs = (0.5 + Math.random() / 2) * Math.min(firstMs * 2 ** (attempts - 1), longestMs)
  return retryAfterSeconds === undefined ? backOffMs : retryAfterSeconds * 1_000 + Math.random() * Math.min(backOffMs, 5_000)
}

/** `Retry-After`: whole seconds, or a date (RFC 9110, 10.2.3). Undefined where it is neither. */
export function retryAfterOf(value: string | null): number | undefined {
  if (value === null) return undefined
  if (/^\s*\d{1,9}\s*$/.test(value)) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000))
}
