import { Failure } from '@filmgate/kit/failure'
import type { Sql } from '@filmgate/kit/postgres'
import type { Reason } from '../errors'
import { hashKey, newKey } from './api-key'
import { replaceSecret } from './key-repository'

/** The former secret goes on working this long. */
const overlapHours = 24

/** A new secret for the same key id: idempotency keys stay in scope, so a rotation can't charge twice. */
export async function rotateKey({ sql, pepper }: { sql: Sql; pepper: string }, keyId: string): Promise<{ keyId: string; apiKey: string }> {
  const apiKey = newKey(keyId)
  if (!(await replaceSecret(sql, keyId, hashKey(apiKey, pepper), overlapHours))) throw new Failure<Reason>('key_not_found')
  return { keyId, apiKey }
}
