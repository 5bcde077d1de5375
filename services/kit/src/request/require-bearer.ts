import { createHash, timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import type { Secrets } from '../environment/secrets'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The token of RFC 6750, 2.1; undefined where the header has another scheme, or a token in quotes or behind another word. */
export const bearerToken = (headers: Headers): string | undefined => headers.get('authorization')?.match(/^Bearer +([\w.~+/-]+=*)$/i)?.[1]

/**
 * Lets requests through that carry one of these bearer tokens; `refusal` makes what the others get. Digests are compared, each of them, so
 * that neither length nor prefix shows in the time. In `derive`, because it has to come before anything is read of the body.
 */
export function requireBearer(tokens: Secrets, refusal: (request: Request) => Error) {
  const expected = tokens.map(digest)
  return new Elysia({ name: 'require-bearer', seed: tokens }).derive({ as: 'scoped' }, function requireBearer({ headers, request }) {
    const given = digest(headers.authorization?.match(/^Bearer +(\S+)$/i)?.[1] ?? '')
    if (expected.filter(each => timingSafeEqual(each, given)).length === 0) throw refusal(request)
    return {}
  })
}
