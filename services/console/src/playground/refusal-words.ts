import type { Refused } from '../gateway/gateway'

/** What a person reads of a refusal: the gateway's own words, but where they are for programs, or of the paid balance alone. */
export function refusalWords({ code, message, retryAfter }: Refused): string {
  if (code === 'insufficient_credits') return 'Both balances together are too low. Nothing was charged.'
  if (code !== 'rate_limited') return message
  const wait = retryAfter === undefined ? 'a minute' : retryAfter === 1 ? 'a second' : `${retryAfter} seconds`
  return `Too many videos were asked for within a minute. Wait ${wait} and try again: nothing was charged.`
}
