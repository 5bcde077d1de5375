import { insertAuditEntry } from '../../audit-log/audit-entry-repository'
import type { GatewayResult } from '../../gateway/gateway'
import type { KeyDeps } from '../create-key'
import type { KeyInput } from '../rotate-key'

export type KeyBindings = { models: string[] | null; addresses: string[] | null }

/** Binds a key to models and addresses; null unbinds it. The gateway goes by it everywhere within 5 s. */
export async function bindKey(
  { sql, gateway }: KeyDeps,
  { person, accountId, keyId, name, ...body }: KeyInput & KeyBindings,
): Promise<GatewayResult<unknown>> {
  const path = `/accounts/${accountId}/keys/${encodeURIComponent(keyId)}`
  const bound = await gateway.request(person, { method: 'PATCH', path, body })
  if (bound.ok) {
    const details = { name, models: body.models?.join(' ') ?? null, addresses: body.addresses?.join(' ') ?? null }
    await insertAuditEntry(sql, person, { accountId, action: 'key.bound', subject: keyId, details })
  }
  return bound
}
