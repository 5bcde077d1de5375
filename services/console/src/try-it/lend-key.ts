import { Failure } from '@filmgate/kit/failure'
import type { Membership } from '../accounts/account-repository'
import type { MemberDeps } from '../accounts/member-of'
import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import type { Reason } from '../errors'
import type { Gateway, KeyView } from '../gateway/gateway'

export type LendDeps = MemberDeps & { gateway: Gateway; now(): Date }

const lentForMs = 3_600_000

/** A key of the account for the reference's page. Who is lent another loses the one before, so that they never fill the account's twenty. */
export async function lendKey({ gateway, sql, now }: LendDeps, person: Person, { accountId }: Membership): Promise<string> {
  const keys = `/accounts/${accountId}/keys`
  const name = `Reference, ${person.email}`
  const { data } = await gateway.get<{ data: KeyView[] }>(person, keys)
  const former = data.filter(key => key.name === name && key.revoked_at === null && !isOver(key, now()))
  await Promise.all(former.map(({ key_id }) => gateway.ask(person, { method: 'DELETE', path: `${keys}/${key_id}` })))
  const expires_at = new Date(now().getTime() + lentForMs).toISOString()
  const made = await gateway.ask<{ key_id: string; api_key: string }>(person, { method: 'POST', path: keys, body: { name, expires_at } })
  if (!made.ok) throw new Failure<Reason>('invalid_request', { message: made.message })
  await insertAct(sql, person, { accountId, act: 'key.lent', subject: made.value.key_id })
  return made.value.api_key
}

const isOver = ({ expires_at }: KeyView, now: Date): boolean => expires_at !== null && new Date(expires_at) <= now
