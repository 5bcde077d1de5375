import type { Sql } from '@filmgate/kit/database/postgres'
import { uuidv7 } from 'uuidv7'
import { readAlone } from '../../database/batched-read'
import { readIdempotencyKey } from '../../generations/idempotency'
import { joinRequest } from './request-repository'

type Input = { headers: Headers; keyId: string; fingerprint: Buffer; arrivedAt: number; leftMs: number }

/**
 * The request's own Idempotency-Key. OpenAI's clients send none and repeat a POST by themselves, with how often they have: such a retry gets
 * the key of the request that it repeats, so that nobody is charged twice because a library has sent a request again.
 */
export async function idempotencyKeyOf(sql: Sql, { headers, keyId, fingerprint, arrivedAt, leftMs }: Input): Promise<string> {
  if (headers.has('idempotency-key')) return readIdempotencyKey(headers)
  const id = uuidv7()
  const request = { id, keyId, fingerprint, idempotencyKey: `openai:${id}`, count: retryCount(headers) }
  return readAlone(joinRequest(sql, { ...request, arrivedMsAgo: performance.now() - arrivedAt }), leftMs)
}

/** How often the client has sent this request before, as its library says; 0 where it says nothing. */
export const retryCount = (headers: Headers): number => Number(/^\d{1,3}$/.exec(headers.get('x-stainless-retry-count') ?? '')?.[0] ?? 0)
