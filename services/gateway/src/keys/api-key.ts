import { createHmac } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^sk_live_([0-9A-Za-z]{12})([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

/** `length` characters of base62, each from fresh random bits (62⁴³ > 2²⁵⁶). */
export function base62(length: number): string {
  let text = ''
  while (text.length < length) {
    // 248 = 4 × 62: larger bytes would favour the first characters.
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) if (byte < 248 && text.length < length) text += alphabet[byte % 62]
  }
  return text
}

/** CRC32 in six characters: a mistyped key is refused without asking the database. */
function checksum(text: string): string {
  let rest = Bun.hash.crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = alphabet[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

export const newKeyId = (): string => base62(12)

/** How a key begins: it names the key and is no secret, so it may be shown again. */
export const keyPrefix = (keyId: string): string => `sk_live_${keyId}`

/** A whole key for this id, with a fresh secret. Shown once, never stored. */
export function newKey(keyId: string): string {
  const head = keyPrefix(keyId) + base62(43)
  return head + checksum(head)
}

/** The key's id, or undefined for what can't be a key of ours. */
export function keyIdOf(key: string): string | undefined {
  const match = form.exec(key)
  return match?.[1] && checksum(key.slice(0, -6)) === match[3] ? match[1] : undefined
}

/** What is stored of a key: HMAC-SHA-256 with the pepper. */
export const hashKey = (key: string, pepper: string): Buffer => createHmac('sha256', pepper).update(key).digest()

/** Stored beside a hash: 48 bits that tell its pepper from another one. */
export const pepperMark = (pepper: string): string => createHmac('sha256', pepper).update('mark of a pepper').digest('hex').slice(0, 12)

/** A key as it is stored. */
export const storedSecret = (key: string, pepper: string) => ({ secretHash: hashKey(key, pepper), pepperMark: pepperMark(pepper) })
