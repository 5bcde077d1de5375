import { authErrorCode, authHeaders } from '../auth/auth-request'
import { enforceLimit, isWithinLimit } from '../limits/enforce-limit'
import type { SignInDeps } from './deps'
import { withMinDuration } from './with-min-duration'

/** Longer than the request takes under load. */
const answerAfterMs = 500

/**
 * Requests a mail to an address that may be unknown, within the limits of the client and the address. Neither the
 * response nor its time reveals whether the address is known, or that its limit is used up.
 */
export async function requestMail(
  { sql, limits, consoleUrl, clientAddress }: SignInDeps,
  { request, email }: { request: Request; email: string },
  send: (input: { body: { email: string }; headers: Headers }) => Promise<unknown>,
): Promise<void> {
  await enforceLimit(sql, limits.mailAddress, clientAddress(request))
  const headers = authHeaders(new Request(consoleUrl), clientAddress(request))
  const sendIfAllowed = async () => {
    if (await isWithinLimit(sql, limits.mailAccount, email)) await send({ body: { email }, headers }).catch(authErrorCode)
  }
  await withMinDuration(answerAfterMs, sendIfAllowed())
}
