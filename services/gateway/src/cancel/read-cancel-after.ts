import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import { show } from '../issues/wording'

export const cancelAfterHeader = 'Filmgate-Cancel-After'
export const cancelAfterSecondsMax = 86_400

/** `Filmgate-Cancel-After: 90`: after how many seconds the task is to be cancelled; undefined where nothing is said. */
export function readCancelAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^[1-9]\d{0,4}$/.test(header) ? Number(header) : Number.NaN
  if (seconds <= cancelAfterSecondsMax) return seconds
  const message = `${cancelAfterHeader} must be a whole number of seconds from 1 to ${cancelAfterSecondsMax}, and is ${show(header)}`
  const issues = [{ path: cancelAfterHeader, rule: 'cancel_after', message }]
  throw new Failure<Reason>('invalid_request', { message, details: { issues } })
}
