import { authHeaders } from '../auth/auth-request'
import { rememberSignUp } from '../auth/cookies'
import { enforceLimit } from '../limits/enforce-limit'
import { deleteUnverifiedPerson } from '../people/person-repository'
import type { SignInDeps } from '../sign-in/deps'
import { withMinDuration } from '../sign-in/with-min-duration'

type Input = { request: Request; set: { headers: Record<string, unknown> }; name: string; email: string; password: string }

/** Longer than a sign-up takes under load. */
const answerAfterMs = 400

/** Known and unknown addresses get the same answer after the same time. The mail tells the owner which it is. */
export async function signUp(deps: SignInDeps, { request, set, name, email, password }: Input): Promise<void> {
  const { sql, auth, limits, clientAddress } = deps
  const address = clientAddress(request)
  await enforceLimit(sql, limits.signUpAddress, address)
  await enforceLimit(sql, limits.signUpAccount, email)
  const register = async () => {
    await deleteUnverifiedPerson(sql, email)
    return auth.api.signUpEmail({ body: { name, email, password }, headers: authHeaders(request, address) })
  }
  const { user } = await withMinDuration(answerAfterMs, register())
  rememberSignUp(deps, set, user.id)
}
