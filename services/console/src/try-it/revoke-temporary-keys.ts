import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Reason } from '../errors'
import type { Gateway } from '../gateway/gateway'
import type { Person } from '../http/person'
import { listTemporaryKeys } from './temporary-key-repository'

export type TemporaryKeyDeps = { sql: Sql; gateway: Gateway; now(): Date }
type TemporaryKeyInput = { actor: Person; accountId: string; personId: string }

export const temporaryKeyLifeMs = 3_600_000

/**
 * Revokes a person's temporary keys in an account, optionally except the latest. Keys that were revoked before are
 * skipped.
 */
export async function revokeTemporaryKeys(
  { sql, gateway, now }: TemporaryKeyDeps,
  { actor, accountId, personId, keepsLatest = false }: TemporaryKeyInput & { keepsLatest?: boolean },
): Promise<void> {
  const keys = await listTemporaryKeys(sql, { accountId, personId, since: new Date(now().getTime() - temporaryKeyLifeMs) })
  for (const { keyId } of keys.slice(keepsLatest ? 1 : 0)) {
    const answer = await gateway.request(actor, { method: 'DELETE', path: `/accounts/${accountId}/keys/${encodeURIComponent(keyId)}` })
    if (!answer.ok && answer.status >= 500) throw new Failure<Reason>('service_unavailable')
    await insertAuditEntry(sql, actor, { accountId, action: 'key.lent_ended', subject: keyId })
  }
}

/** After a person stops being an owner, which stands even if the gateway is unreachable. */
export async function revokeTemporaryKeysOfFormerOwner(deps: TemporaryKeyDeps, keys: TemporaryKeyInput): Promise<void> {
  await revokeTemporaryKeys(deps, keys).catch(cause => {
    throw new Failure<Reason>('service_unavailable', { cause, message: notRevokedMessage })
  })
}

const notRevokedMessage =
  'The change is saved, but the gateway is not available: a temporary key of the API reference still works. It expires within the hour. You can also revoke it in the list of keys.'
