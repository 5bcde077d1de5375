import type { GatewayError } from '../gateway/gateway'

/** The error message for a person: the gateway's own, except where it addresses programs or only the paid balance. */
export function errorText({ code, message, retryAfter }: GatewayError): string {
  if (code === 'insufficient_credits') return 'Your balances are too low for this video. Nothing was charged.'
  if (code !== 'rate_limited') return message
  const wait = retryAfter === undefined ? 'a minute' : retryAfter === 1 ? 'a second' : `${retryAfter} seconds`
  return `Too many videos were requested within a minute. Nothing was charged. Wait ${wait} and try again.`
}
