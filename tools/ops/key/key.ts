import { BoundKey, KeyRow, NewKey, OwnedKey, RevokedKey } from '@filmgate/proto/operator/account'
import { listOf } from '@filmgate/proto/operator/answer'
import { OpsFault } from '../fault'
import { type Call, callFor } from '../operator-api'

/** A further key of an account; its secret is shown this once. */
export const keyCreate = (
  call: Call,
  input: { accountId: string; name: string; expiresAt?: string; models?: string[]; addresses?: string[] },
) => {
  const { accountId, name, expiresAt, models, addresses } = input
  const body = { name, ...(expiresAt && { expires_at: expiresAt }), ...(models && { models }), ...(addresses && { addresses }) }
  return callFor(call, NewKey, 'gateway', 'POST', `/accounts/${encodeURIComponent(accountId)}/keys`, body)
}

export const keyList = (call: Call, input: { accountId: string }) =>
  callFor(call, listOf(KeyRow), 'gateway', 'GET', `/accounts/${encodeURIComponent(input.accountId)}/keys`)

export type KeyChanges = { models?: string[]; anyModel?: boolean; addresses?: string[]; anyAddress?: boolean }

/** A key by its id or by how it begins, with its account. */
export const keyShow = (call: Call, { key }: { key: string }) =>
  callFor(call, OwnedKey, 'gateway', 'GET', `/keys/${encodeURIComponent(key.replace(/^sk_live_(.{12}).*/, '$1'))}`)

/** Within 5 s the key goes by its new models and addresses. */
export function keyUpdate(call: Call, { keyId, ...changes }: { keyId: string } & KeyChanges): Promise<BoundKey> {
  const { models, anyModel, addresses, anyAddress } = changes
  if ((models && anyModel) || (addresses && anyAddress)) throw new OpsFault('Name models or --any-model, addresses or --any-address.')
  if (!models && !anyModel && !addresses && !anyAddress) throw new OpsFault('Name what to change: --models, --addresses, or --any-….')
  return callFor(call, BoundKey, 'gateway', 'PATCH', `/keys/${encodeURIComponent(keyId)}`, {
    ...((models || anyModel) && { models: models ?? null }),
    ...((addresses || anyAddress) && { addresses: addresses ?? null }),
  })
}

/** Within 5 s the key opens nothing any more; its running tasks finish and bill. */
export const keyRevoke = (call: Call, input: { keyId: string }) =>
  callFor(call, RevokedKey, 'gateway', 'DELETE', `/keys/${encodeURIComponent(input.keyId)}`)

/** A new secret under the same key id; the old one works on for FILMGATE_KEY_OVERLAP_SECONDS of the gateway, a day. */
export const keyRotate = (call: Call, input: { keyId: string }) =>
  callFor(call, NewKey, 'gateway', 'POST', `/keys/${encodeURIComponent(input.keyId)}/rotate`)
