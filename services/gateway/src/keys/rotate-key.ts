import { Failure } from '@filmgate/kit/failure'
import type { Sql } from '@filmgate/kit/postgres'
import type { Reason } from '../errors'
import { hashKey, newKey } from './api-key'
import { replaceSecret } from './key-repository'

/** The former secret goes on working for `keyOverlapSeconds`. */
export type RotateDeps = { sql: Sql; pepper: string; keyOverlapSeconds: number }

/** A new secret for the same key id: idempotency keys stay in scope, so a rotation can't charge twice. */
export async function rotateKey({ sql, pepper, keyOverlapSeconds }: RotateDeps, keyId: string): Promise<{ keyId: string; apiKey: string }> {
  const apiKey = newKey(keyId)
  if (!(await replaceSecret(sql, keyId, hashKey(apiKey, pepper), keyOverlapSeconds))) throw new Failure<Reason>('key_not_found')
  return { keyId, apiKey }
}
