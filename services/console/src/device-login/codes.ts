import { createHash, randomBytes, randomInt } from 'node:crypto'

/** No vowels, so that no word appears, and nothing that looks like a digit (RFC 8628, 6.1). */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'
const letters = 8

/** A code that a person types: eight letters with a dash, such as `WDJB-MJHT`. 20^8 of them. */
export const newUserCode = (): string => {
  const code = Array.from({ length: letters }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${code.slice(0, letters / 2)}-${code.slice(letters / 2)}`
}

const typed = new RegExp(`^[${alphabet}]{${letters}}$`)

/** The code as it is stored, whatever case, spaces and dashes were typed; undefined if it can't be one. */
export function readUserCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '')
  return typed.test(code) ? `${code.slice(0, letters / 2)}-${code.slice(letters / 2)}` : undefined
}

/** 256 random bits, so that a plain hash of it can be stored. */
export const newDeviceCode = (): string => randomBytes(32).toString('base64url')

export const hashDeviceCode = (code: string): Buffer => createHash('sha256').update(code).digest()
