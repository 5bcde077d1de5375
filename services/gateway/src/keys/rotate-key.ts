import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertAuditEntry } from '../audit-log/audit-repository'
import type { Reason } from '../errors'
import { newKey, storedSecret } from './api-key'
import { formerSecrets } from './former-secrets'
import { lockWorkingKey, type NamedKey, replaceSecret } from './key-repository'

export type RotateDeps = { sql: Sql; pepper: string; now(): Date; keyOverlapSeconds: number }

/** Each is compared with the hash of a presented key. Ten cover a day of commands that timed out and were repeated. */
const formerSecretsMax = 10

/**
 * A new secret for the same key id: idempotency keys stay in scope, so a rotation can't charge twice. Every former secret works on until
 * its own time: a command that is repeated because no answer came ends no secret that a client holds. None works longer than the overlap.
 */
export async function rotateKey(
  { sql, pepper, now, keyOverlapSeconds }: RotateDeps,
  { operator, ...named }: NamedKey & { operator: string },
): Promise<{ keyId: string; apiKey: string }> {
  const { keyId } = named
  const apiKey = newKey(keyId)
  await sql.begin(async sql => {
    const key = await lockWorkingKey(sql, named)
    if (!key) throw new Failure<Reason>('key_not_found')
    const at = now()
    const former = formerSecrets(key).filter(({ until }) => until > at)
    if (former.length >= formerSecretsMax) throw new Failure<Reason>('too_many_secrets')
    const previousUntil = new Date(at.getTime() + keyOverlapSeconds * 1_000)
    const kept = former.map(({ hash, until }) => ({ hash, until: until < previousUntil ? until : previousUntil }))
    await replaceSecret(sql, keyId, { ...storedSecret(apiKey, pepper), previousUntil, former: kept })
    await insertAuditEntry(sql, { operator, act: 'key_rotated', accountId: key.accountId, subject: keyId })
  })
  return { keyId, apiKey }
}
