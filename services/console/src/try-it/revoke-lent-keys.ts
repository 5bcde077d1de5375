import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import type { Reason } from '../errors'
import type { Gateway } from '../gateway/gateway'
import { listLent } from './lent-repository'

export type LentDeps = { sql: Sql; gateway: Gateway; now(): Date }
type Lent = { actor: Person; accountId: string; personId: string }

export const lentForMs = 3_600_000

/** Ends the keys that were lent to a person in an account, but for the latest where that is to be kept. One that ended before is none any more. */
export async function revokeLentKeys(
  { sql, gateway, now }: LentDeps,
  { actor, accountId, personId, keepsLatest = false }: Lent & { keepsLatest?: boolean },
): Promise<void> {
  const lent = await listLent(sql, { accountId, personId, since: new Date(now().getTime() - lentForMs) })
  for (const { keyId } of lent.slice(keepsLatest ? 1 : 0)) {
    const answer = await gateway.ask(actor, { method: 'DELETE', path: `/accounts/${accountId}/keys/${encodeURIComponent(keyId)}` })
    if (!answer.ok && answer.status >= 500) throw new Failure<Reason>('service_unavailable')
    await insertAct(sql, actor, { accountId, act: 'key.lent_ended', subject: keyId })
  }
}

/** After somebody ceased to be an owner, which stands whatever the gateway answers. */
export async function revokeLentKeysOfFormer(deps: LentDeps, lent: Lent): Promise<void> {
  await revokeLentKeys(deps, lent).catch(cause => {
    throw new Failure<Reason>('service_unavailable', { cause, message: stillLent })
  })
}

const stillLent =
  'It is done, but Filmgate’s gateway can’t be reached just now: a key that was lent for the reference works on. It ends within the hour; or revoke it among the account’s keys.'
