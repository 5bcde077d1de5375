import { authHeaders, refusalOf } from '../auth/ask-auth'
import { isWithin, takeTry } from '../limits/take-try'
import type { SignInDeps } from './deps'
import { noSooner } from './no-sooner'

/** Longer than the request takes on a busy machine. */
const answerAfterMs = 500

/**
 * Has a mail sent to an address that may be nobody's, within the limits of who asks and of the address. Whether it is somebody's shows
 * neither in what this returns nor in how long it takes; nor does how often somebody else has asked for the address, which then is sent no more.
 */
export async function askMail(
  { sql, limits, consoleUrl, clientAddress }: SignInDeps,
  { request, email }: { request: Request; email: string },
  send: (asked: { body: { email: string }; headers: Headers }) => Promise<unknown>,
): Promise<void> {
  await takeTry(sql, limits.mailAddress, clientAddress(request))
  const headers = authHeaders(new Request(consoleUrl), clientAddress(request))
  const asked = async () => {
    if (await isWithin(sql, limits.mailAccount, email)) await send({ body: { email }, headers }).catch(refusalOf)
  }
  await noSooner(answerAfterMs, asked())
}
