import { authHeaders, refusalOf } from '../auth/ask-auth'
import { takeTry } from '../limits/take-try'
import type { SignInDeps } from './deps'
import { noSooner } from './no-sooner'

/** Longer than the request takes on a busy machine. */
const answerAfterMs = 500

/**
 * Has a mail sent to an address that may be nobody's, within the limits of who asks and of the address. Whether it is somebody's shows
 * neither in what this returns nor in how long it takes.
 */
export async function askMail(
  { sql, limits, consoleUrl, clientAddress }: SignInDeps,
  { request, email }: { request: Request; email: string },
  send: (asked: { body: { email: string }; headers: Headers }) => Promise<unknown>,
): Promise<void> {
  await takeTry(sql, limits.mailAddress, clientAddress(request))
  await takeTry(sql, limits.mailAccount, email)
  const headers = authHeaders(new Request(consoleUrl), clientAddress(request))
  await noSooner(answerAfterMs, send({ body: { email }, headers }).catch(refusalOf))
}
