import { createHash, randomBytes } from 'node:crypto'
import { Failure } from '@filmgate/kit/failure'
import canonicalize from 'canonicalize'
import type { Reason } from '../errors'
import { idempotencyKeyForm } from '../tasks/task'

export function readIdempotencyKey(headers: Headers): string {
  const key = headers.get('idempotency-key')
  if (key === null) throw new Failure<Reason>('missing_idempotency_key')
  // Several headers of one name are read as one, joined by commas (RFC 9110, 5.3), as proxies do too.
  if (key.includes(','))
    throw new Failure<Reason>('invalid_idempotency_key', {
      message: 'Send one Idempotency-Key header: the request has several, or a comma in it.',
    })
  if (!idempotencyKeyForm.test(key)) throw new Failure<Reason>('invalid_idempotency_key')
  return key
}

/** SHA-256 of the canonical JSON (RFC 8785): white space, key order and how a number is written don't make another body. */
export function fingerprintOf(body: unknown): Buffer {
  try {
    return createHash('sha256')
      .update(canonicalize(body) ?? '')
      .digest()
  } catch {
    // A lone surrogate or an infinite number has no canonical form. No model takes either: the check refuses it, and no replay may match it.
    return randomBytes(32)
  }
}
