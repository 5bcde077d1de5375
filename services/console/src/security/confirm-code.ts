import { authErrorCode, authHeaders } from '../auth/auth-request'
import { recordCodeGiven } from '../auth/session-repository'
import type { Person } from '../http/person'
import { enforceLimit } from '../limits/enforce-limit'
import { prepareSecondFactor } from '../secrets/renew-second-factor'
import type { SignInDeps } from '../sign-in/deps'
import { recordSignIn } from '../sign-in/record-security-change'
import { isTotpCode, isUnusedCode } from '../sign-in/second-factor/verify-second-factor'
import { findSignInMethods } from './security-repository'

/** Confirms a session with a code. Returns false if the code is wrong or was used before. */
export async function confirmCode(
  deps: SignInDeps,
  { person, request, code }: { person: Person; request: Request; code: string },
): Promise<boolean> {
  const { auth, sql, limits, clientAddress } = deps
  await enforceLimit(sql, limits.secondAccount, person.id)
  // Otherwise a code would complete an unfinished setup.
  if (!(await findSignInMethods(sql, person.id)).secondFactor) return false
  await prepareSecondFactor(deps, person.id)
  const plain = code.replaceAll(/\s/g, '')
  if (isTotpCode(plain) && !(await isUnusedCode(deps, person.id, plain))) return false
  const options = { headers: authHeaders(request, clientAddress(request)), body: { code: plain } }
  const answer = await (isTotpCode(plain) ? auth.api.verifyTOTP(options) : auth.api.verifyBackupCode(options)).catch(authErrorCode)
  if (typeof answer === 'string') return false
  await recordCodeGiven(sql, person.sessionId)
  await recordSignIn(sql, person, 'person.confirmed', isTotpCode(plain) ? 'code' : 'backup code')
  return true
}
