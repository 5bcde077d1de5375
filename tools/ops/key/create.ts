import type { Call } from '../operator-api'

/** A further key of an account; its secret is shown this once. */
export const keyCreate = (
  call: Call,
  input: { accountId: string; name: string; expiresAt?: string; models?: string[]; addresses?: string[] },
) => {
  const { accountId, name, expiresAt, models, addresses } = input
  const body = { name, ...(expiresAt && { expires_at: expiresAt }), ...(models && { models }), ...(addresses && { addresses }) }
  return call('gateway', 'POST', `/accounts/${encodeURIComponent(accountId)}/keys`, body)
}
