import type { Call } from '../operator-api'

/** Within 5 s the key opens nothing any more; its running tasks finish and bill. */
export const keyRevoke = (call: Call, input: { keyId: string }) => call('gateway', 'DELETE', `/keys/${encodeURIComponent(input.keyId)}`)
