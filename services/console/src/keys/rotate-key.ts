import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { GatewayResult } from '../gateway/gateway'
import type { Person } from '../http/person'
import { enforceLimit } from '../limits/enforce-limit'
import { keyLimit } from '../limits/limits'
import type { KeyDeps } from './create-key'
import { type CreatedKey, requestSecret } from './request-secret'

/** How long the previous secret works if the gateway doesn't say: its default. */
export const overlapMs = 86_400_000

export type KeyInput = { person: Person; accountId: string; keyId: string; name: string }

/** Rotates a key's secret. The previous secret works for the gateway's overlap. */
export async function rotateKey(
  { sql, gateway }: KeyDeps,
  { person, accountId, keyId, name }: KeyInput,
): Promise<GatewayResult<CreatedKey>> {
  await enforceLimit(sql, keyLimit, accountId)
  const path = `/accounts/${accountId}/keys/${encodeURIComponent(keyId)}/rotate`
  const made = await requestSecret(gateway, person, { method: 'POST', path })
  if (made.ok) await insertAuditEntry(sql, person, { accountId, action: 'key.rotated', subject: keyId, details: { name } })
  return made
}
