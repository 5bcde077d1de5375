import { authHeaders } from '../auth/ask-auth'
import { rememberSignUp } from '../auth/cookies'
import { takeTry } from '../limits/take-try'
import { deleteUnverifiedPerson } from '../people/person-repository'
import type { SignInDeps } from '../sign-in/deps'
import { noSooner } from '../sign-in/no-sooner'

type Input = { request: Request; set: { headers: Record<string, unknown> }; name: string; email: string; password: string }

/** Longer than a sign-up takes on a busy machine. */
const answerAfterMs = 400

/** The same answer, after the same time, for an address that is known and one that isn't: a mail tells its owner which. */
export async function signUp(deps: SignInDeps, { request, set, name, email, password }: Input): Promise<void> {
  const { sql, auth, limits, clientAddress } = deps
  const address = clientAddress(request)
  await takeTry(sql, limits.signUpAddress, address)
  await takeTry(sql, limits.signUpAccount, email)
  const register = async () => {
    await deleteUnverifiedPerson(sql, email)
    return auth.api.signUpEmail({ body: { name, email, password }, headers: authHeaders(request, address) })
  }
  const { user } = await noSooner(answerAfterMs, register())
  rememberSignUp(deps, set, user.id)
}
