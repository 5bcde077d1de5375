import type { Call } from '../operator-api'

export type ProviderClosing = { provider: string; minutes: number; reason: string }

/** For some minutes what this provider doesn't know of counts, although it shows nothing else of ours or misses too many at once. */
export const providerClose = (call: Call, { provider, minutes, reason }: ProviderClosing) =>
  call('dispatcher', 'POST', `/providers/${encodeURIComponent(provider)}/close`, { reason, minutes })
