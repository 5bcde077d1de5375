import { dictionary } from '@zxcvbn-ts/language-common'
import { passwordLengthMax, passwordLengthMin } from './create-auth'

/** What everybody's list of guesses begins with; most of it is too short to be taken anyway. */
const common = new Set(dictionary['passwords-common'].map(each => each.toLowerCase()))

/** Why a password won't do, in the words a person reads; undefined where it will (ASVS 2.1: length and a list, no rules of composition). */
export function passwordIssue(password: string, { email, name }: { email: string; name: string }): string | undefined {
  if ([...password].length < passwordLengthMin) return `Take at least ${passwordLengthMin} characters; several words are fine.`
  if (password.length > passwordLengthMax) return `Take at most ${passwordLengthMax} characters.`
  const plain = password.toLowerCase()
  const own = [email.toLowerCase(), name.toLowerCase(), 'filmgate']
  if (isCommon(plain) || own.includes(plain)) return 'That is one of the first that others would guess. Take another.'
  return undefined
}

/** In the list itself, with digits and signs around, twice over, or of two characters alone. */
function isCommon(plain: string): boolean {
  if (common.has(plain) || new Set(plain).size <= 3) return true
  const core = plain.replace(/^[\d\W_]+|[\d\W_]+$/g, '')
  if (core.length > 0 && core.length < 9 && common.has(core)) return true
  const half = plain.slice(0, plain.length / 2)
  return half.repeat(2) === plain && common.has(half)
}
