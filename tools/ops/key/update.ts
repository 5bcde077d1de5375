import { OpsFault } from '../fault'
import type { Call, Json } from '../operator-api'

export type KeyChanges = { models?: string[]; anyModel?: boolean; addresses?: string[]; anyAddress?: boolean }

/** Within 5 s the key goes by its new models and addresses. */
export function keyUpdate(call: Call, { keyId, ...changes }: { keyId: string } & KeyChanges): Promise<Json> {
  const { models, anyModel, addresses, anyAddress } = changes
  if ((models && anyModel) || (addresses && anyAddress)) throw new OpsFault('Name models or --any-model, addresses or --any-address.')
  if (!models && !anyModel && !addresses && !anyAddress) throw new OpsFault('Name what to change: --models, --addresses, or --any-….')
  return call('gateway', 'PATCH', `/keys/${encodeURIComponent(keyId)}`, {
    ...((models || anyModel) && { models: models ?? null }),
    ...((addresses || anyAddress) && { addresses: addresses ?? null }),
  })
}
