import type { Call } from '../operator-api'

/** A new secret under the same key id; the old one works on for FILMGATE_KEY_OVERLAP_SECONDS of the gateway, a day. */
export const keyRotate = (call: Call, input: { keyId: string }) =>
  call('gateway', 'POST', `/keys/${encodeURIComponent(input.keyId)}/rotate`)
