import { createHash, timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The token of RFC 6750, 2.1; undefined where the header has another scheme, or a token in quotes or behind another word. */
export const bearerToken = (headers: Headers): string | undefined => headers.get('authorization')?.match(/^Bearer +([\w.~+/-]+=*)$/i)?.[1]

/**
 * Lets requests through that carry this one bearer token; `refusal` makes what the others get. Digests are compared, so that neither
 * length nor prefix shows in the time. In `derive`, because it has to come before anything is read of the body.
 */
export function requireBearer(token: string, refusal: (request: Request) => Error) {
  const expected = digest(token)
  return new Elysia({ name: 'require-bearer', seed: token }).derive({ as: 'scoped' }, function requireBearer({ headers, request }) {
    const given = headers.authorization?.match(/^Bearer +(\S+)$/i)?.[1] ?? ''
    if (!timingSafeEqual(digest(given), expected)) throw refusal(request)
    return {}
  })
}
