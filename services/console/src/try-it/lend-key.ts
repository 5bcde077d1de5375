import { Failure } from '@filmgate/kit/failure'
import type { Membership } from '../accounts/account-repository'
import type { MemberDeps } from '../accounts/member-of'
import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import type { Reason } from '../errors'
import { keyLimit } from '../limits/limits'
import { takeTry } from '../limits/take-try'
import { type LentDeps, lentForMs, revokeLentKeys } from './revoke-lent-keys'

export type LendDeps = MemberDeps & LentDeps

/**
 * A key of the account for the reference's page. Who is lent another loses the one before, so that they never fill the account's twenty; of two
 * that are lent at one moment the first does not last.
 */
export async function lendKey(deps: LendDeps, person: Person, { accountId }: Membership): Promise<string> {
  const { gateway, sql, now } = deps
  const lent = { actor: person, accountId, personId: person.id }
  await takeTry(sql, keyLimit, accountId)
  await revokeLentKeys(deps, lent)
  const body = { name: `Reference, ${person.email}`, expires_at: new Date(now().getTime() + lentForMs).toISOString() }
  const made = await gateway.ask<{ key_id: string; api_key: string }>(person, { method: 'POST', path: `/accounts/${accountId}/keys`, body })
  if (!made.ok) throw new Failure<Reason>('invalid_request', { message: made.message })
  await insertAct(sql, person, { accountId, act: 'key.lent', subject: made.value.key_id })
  await revokeLentKeys(deps, { ...lent, keepsLatest: true })
  return made.value.api_key
}
