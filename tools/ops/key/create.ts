import type { Call } from '../operator-api'

/** A further key of an account; its secret is shown this once. */
export const keyCreate = (call: Call, input: { accountId: string; name: string; expiresAt?: string }) => {
  const { accountId, name, expiresAt } = input
  return call('gateway', 'POST', `/accounts/${encodeURIComponent(accountId)}/keys`, { name, ...(expiresAt && { expires_at: expiresAt }) })
}
