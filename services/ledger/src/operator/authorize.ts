import { createHash, timingSafeEqual } from 'node:crypto'
import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'

/** Lets requests through that carry the operator's token. Digests are compared, so that neither length nor prefix shows in the time. */
export function authorize(operatorToken: string) {
  const expected = digest(`Bearer ${operatorToken}`)
  return new Elysia({ name: 'authorize' }).derive({ as: 'scoped' }, function authorize({ headers }) {
    if (!timingSafeEqual(digest(headers.authorization ?? ''), expected)) throw new Failure<Reason>('operator_token_required')
    return {}
  })
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
