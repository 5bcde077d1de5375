import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import type { Answered } from '../gateway/gateway'
import { keyLimit } from '../limits/limits'
import { takeTry } from '../limits/take-try'
import { askForSecret, type MadeKey } from './ask-for-secret'
import type { KeyDeps } from './create-key'

/** How long the former secret works where the gateway doesn't say: its default. */
export const overlapMs = 86_400_000

export type NamedKey = { person: Person; accountId: string; keyId: string; name: string }

/** Another secret for the same key; the former works on for the gateway's overlap. */
export async function rotateKey({ sql, gateway }: KeyDeps, { person, accountId, keyId, name }: NamedKey): Promise<Answered<MadeKey>> {
  await takeTry(sql, keyLimit, accountId)
  const path = `/accounts/${accountId}/keys/${encodeURIComponent(keyId)}/rotate`
  const made = await askForSecret(gateway, person, { method: 'POST', path })
  if (made.ok) await insertAct(sql, person, { accountId, act: 'key.rotated', subject: keyId, details: { name } })
  return made
}
