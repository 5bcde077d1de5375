import { Failure } from '@filmgate/kit/failure'
import { insertAct } from '../acts/act-repository'
import type { Reason } from '../errors'
import type { KeyDeps } from './create-key'
import type { NamedKey } from './rotate-key'

/** Ends a key: the gateway refuses it everywhere within 5 s. Again changes nothing. */
export async function revokeKey({ sql, gateway }: KeyDeps, { person, accountId, keyId, name }: NamedKey): Promise<void> {
  const path = `/accounts/${accountId}/keys/${encodeURIComponent(keyId)}`
  const answer = await gateway.ask(person, { method: 'DELETE', path })
  if (!answer.ok && answer.status === 404) throw new Failure<Reason>('not_found')
  if (!answer.ok) throw new Failure<Reason>('service_unavailable', { internal: `the gateway answered ${answer.status} ${answer.code}` })
  await insertAct(sql, person, { accountId, act: 'key.revoked', subject: keyId, details: { name } })
}
