import { authHeaders, refusalOf } from '../auth/ask-auth'
import { keepCodeGiven } from '../auth/session-repository'
import type { Person } from '../door/person'
import { takeTry } from '../limits/take-try'
import type { SignInDeps } from '../sign-in/deps'
import { isDigits, takeCode } from '../sign-in/second-factor/take-second-factor'
import { findWaysIn } from './security-repository'

/** Takes a code in a session that began without one. False where it is not right, or was used before. */
export async function confirmCode(
  deps: SignInDeps,
  { person, request, code }: { person: Person; request: Request; code: string },
): Promise<boolean> {
  const { auth, sql, limits, clientAddress } = deps
  await takeTry(sql, limits.secondAccount, person.id)
  // Else a code would turn codes on that were only begun to be set up.
  if (!(await findWaysIn(sql, person.id)).secondFactor) return false
  const plain = code.replaceAll(/\s/g, '')
  if (isDigits(plain) && !(await takeCode(deps, person.id, plain))) return false
  const options = { headers: authHeaders(request, clientAddress(request)), body: { code: plain } }
  const answer = await (isDigits(plain) ? auth.api.verifyTOTP(options) : auth.api.verifyBackupCode(options)).catch(refusalOf)
  if (typeof answer === 'string') return false
  await keepCodeGiven(sql, person.sessionId)
  return true
}
