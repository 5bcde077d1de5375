import { Failure } from '@filmgate/kit/failure'
import type { Membership } from '../accounts/account-repository'
import type { MemberDeps } from '../accounts/require-member'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Reason } from '../errors'
import type { Person } from '../http/person'
import { enforceLimit } from '../limits/enforce-limit'
import { keyLimit } from '../limits/limits'
import { revokeTemporaryKeys, type TemporaryKeyDeps, temporaryKeyLifeMs } from './revoke-temporary-keys'

export type CreateTemporaryKeyDeps = MemberDeps & TemporaryKeyDeps

/**
 * Creates a temporary API key for the reference page. It replaces the person's previous one, so that these keys never
 * fill the account's limit. Of two concurrent ones only the later stays.
 */
export async function createTemporaryKey(deps: CreateTemporaryKeyDeps, person: Person, { accountId }: Membership): Promise<string> {
  const { gateway, sql, now } = deps
  const keys = { actor: person, accountId, personId: person.id }
  await enforceLimit(sql, keyLimit, accountId)
  await revokeTemporaryKeys(deps, keys)
  const body = { name: `Reference, ${person.email}`, expires_at: new Date(now().getTime() + temporaryKeyLifeMs).toISOString() }
  const made = await gateway.request<{ key_id: string; api_key: string }>(person, {
    method: 'POST',
    path: `/accounts/${accountId}/keys`,
    body,
  })
  if (!made.ok) throw new Failure<Reason>('invalid_request', { message: made.message })
  await insertAuditEntry(sql, person, { accountId, action: 'key.lent', subject: made.value.key_id })
  await revokeTemporaryKeys(deps, { ...keys, keepsLatest: true })
  return made.value.api_key
}
