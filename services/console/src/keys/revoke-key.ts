import { Failure } from '@filmgate/kit/failure'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Reason } from '../errors'
import type { KeyDeps } from './create-key'
import type { KeyInput } from './rotate-key'

/** Revokes a key: the gateway rejects it everywhere within 5 s. Idempotent. */
export async function revokeKey({ sql, gateway }: KeyDeps, { person, accountId, keyId, name }: KeyInput): Promise<void> {
  const path = `/accounts/${accountId}/keys/${encodeURIComponent(keyId)}`
  const answer = await gateway.request(person, { method: 'DELETE', path })
  if (!answer.ok && answer.status === 404) throw new Failure<Reason>('not_found')
  if (!answer.ok) throw new Failure<Reason>('service_unavailable', { internal: `the gateway answered ${answer.status} ${answer.code}` })
  await insertAuditEntry(sql, person, { accountId, action: 'key.revoked', subject: keyId, details: { name } })
}
