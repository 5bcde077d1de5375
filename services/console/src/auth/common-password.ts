import { dictionary } from '@zxcvbn-ts/language-common'
import { passwordLengthMax, passwordLengthMin } from './create-auth'

/** Common passwords. Most of them are too short to be accepted anyway. */
const common = new Set(dictionary['passwords-common'].map(each => each.toLowerCase()))

/**
 * Returns why a password is rejected, or undefined if it is accepted. Checks length and a list of common passwords,
 * with no composition rules (ASVS 2.1).
 */
export function passwordIssue(password: string, { email, name }: { email: string; name: string }): string | undefined {
  if ([...password].length < passwordLengthMin) return `Use at least ${passwordLengthMin} characters.`
  if (password.length > passwordLengthMax) return `Use at most ${passwordLengthMax} characters.`
  const plain = password.toLowerCase()
  const own = [email.toLowerCase(), name.toLowerCase(), 'filmgate']
  if (isCommon(plain) || own.includes(plain)) return 'This password is easy to guess. Choose another one.'
  return undefined
}

/**
 * A listed password, one with digits or punctuation around it, one repeated twice, or one of at most three distinct
 * characters.
 */
function isCommon(plain: string): boolean {
  if (common.has(plain) || new Set(plain).size <= 3) return true
  const core = plain.replace(/^[\d\W_]+|[\d\W_]+$/g, '')
  if (core.length > 0 && core.length < 9 && common.has(core)) return true
  const half = plain.slice(0, plain.length / 2)
  return half.repeat(2) === plain && common.has(half)
}
