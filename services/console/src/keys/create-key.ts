import type { Sql } from '@filmgate/kit/database/postgres'
import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import type { Answered, Gateway } from '../gateway/gateway'
import { keyLimit } from '../limits/limits'
import { takeTry } from '../limits/take-try'
import { askForSecret, type MadeKey } from './ask-for-secret'

export type KeyDeps = { sql: Sql; gateway: Gateway }

/** Makes a key at the gateway. Its secret is in the answer alone: the console keeps nothing of it. */
export async function createKey(
  { sql, gateway }: KeyDeps,
  { person, accountId, name, expiresAt }: { person: Person; accountId: string; name: string; expiresAt: Date | null },
): Promise<Answered<MadeKey>> {
  await takeTry(sql, keyLimit, accountId)
  const body = { name, ...(expiresAt && { expires_at: expiresAt.toISOString() }) }
  const made = await askForSecret(gateway, person, { method: 'POST', path: `/accounts/${accountId}/keys`, body })
  if (made.ok)
    await insertAct(sql, person, {
      accountId,
      act: 'key.created',
      subject: made.value.key_id,
      details: { name, expires_at: expiresAt?.toISOString() ?? null },
    })
  return made
}
