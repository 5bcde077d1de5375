import type { Sql } from '@filmgate/kit/database/postgres'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Gateway, GatewayResult } from '../gateway/gateway'
import type { Person } from '../http/person'
import { enforceLimit } from '../limits/enforce-limit'
import { keyLimit } from '../limits/limits'
import { type CreatedKey, requestSecret } from './request-secret'

export type KeyDeps = { sql: Sql; gateway: Gateway }

export type CreateKeyInput = {
  person: Pick<Person, 'id' | 'email' | 'address'>
  accountId: string
  name: string
  expiresAt: Date | null
}

/** Creates a key at the gateway. The secret is only in the response; the console stores nothing of it. */
export async function createKey(
  { sql, gateway }: KeyDeps,
  { person, accountId, name, expiresAt }: CreateKeyInput,
): Promise<GatewayResult<CreatedKey>> {
  await enforceLimit(sql, keyLimit, accountId)
  const body = { name, ...(expiresAt && { expires_at: expiresAt.toISOString() }) }
  const made = await requestSecret(gateway, person, { method: 'POST', path: `/accounts/${accountId}/keys`, body })
  if (made.ok)
    await insertAuditEntry(sql, person, {
      accountId,
      action: 'key.created',
      subject: made.value.key_id,
      details: { name, expires_at: expiresAt?.toISOString() ?? null },
    })
  return made
}
