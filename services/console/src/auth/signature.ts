import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '@filmgate/kit/environment/secrets'

type Encoding = 'base64' | 'base64url'

export const signatureOf = (secret: string, text: string, encoding: Encoding = 'base64url'): string =>
  createHmac('sha256', secret).update(text).digest(encoding)

/** The secrets that the signature is made with, if any: each is tried, in a time that shows neither which nor where it differs. */
export const signersOf = (secrets: Secrets, text: string, signature: string, encoding: Encoding = 'base64url'): string[] =>
  secrets.filter(secret => isSame(signature, signatureOf(secret, text, encoding)))

function isSame(one: string, other: string): boolean {
  const [given, wanted] = [Buffer.from(one), Buffer.from(other)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
