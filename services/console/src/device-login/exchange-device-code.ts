import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import { createKey, type KeyDeps } from '../keys/create-key'
import { hashDeviceCode } from './codes'
import { type ClaimedDeviceLogin, claimApproved, type Poll, recordPoll, refuseClaimed } from './device-login-repository'
import { OAuthError } from './oauth-error'

/** What RFC 8628 adds to the interval of a client that polls too fast, up to one poll a minute. */
const pace = { stepSeconds: 5, intervalSecondsMax: 60 }

export type IssuedKey = { apiKey: string; expiresAt: Date | null; account: { id: string; name: string } }

/**
 * Exchanges a device code for a new API key, once. The key is made here and not at the approval, so that no secret is ever
 * stored. A code is spent before its key is made: a crash in between leaves no key, never two.
 * Throws an OAuthError of RFC 8628, and `service_unavailable` if the gateway's answer was lost.
 */
export async function exchangeDeviceCode(
  deps: KeyDeps,
  { deviceCode, address }: { deviceCode: string; address: string },
): Promise<IssuedKey> {
  const hash = hashDeviceCode(deviceCode)
  requireApproved(await recordPoll(deps.sql, hash, pace))
  const login = await claimApproved(deps.sql, hash)
  if (!login) throw spent()
  const made = login.role === 'owner' ? await makeKey(deps, login, address) : notOwner
  if (made.ok) {
    const { accountId: id, accountName: name, keyExpiresAt: expiresAt } = login
    return { apiKey: made.value.api_key, expiresAt, account: { id, name } }
  }
  await refuseClaimed(deps.sql, hash)
  throw new OAuthError('access_denied', made.message)
}

function requireApproved(poll: Poll | undefined): void {
  if (!poll) throw new OAuthError('invalid_grant', 'The device code is unknown.')
  if (poll.state === 'used') throw spent()
  if (poll.isExpired) throw new OAuthError('expired_token', 'The code has expired. Start again.')
  if (poll.state === 'denied') throw new OAuthError('access_denied', 'The request was denied.')
  if (poll.state === 'pending' && poll.isTooFast) throw new OAuthError('slow_down', 'Wait 5 seconds longer between polls from now on.')
  if (poll.state === 'pending') throw new OAuthError('authorization_pending', 'Nobody has approved the code yet.')
}

const spent = () =>
  new OAuthError('invalid_grant', 'The device code was used. If its answer was lost, revoke the key in the console and start again.')

const notOwner = { ok: false, message: 'Whoever approved is no longer an owner of the account.' } as const

/** Nothing is made if the account has reached its limit of new keys, so that is a refusal like the gateway's. */
async function makeKey(deps: KeyDeps, login: ClaimedDeviceLogin, address: string) {
  const { personId: id, email, accountId, keyName: name, keyExpiresAt: expiresAt } = login
  try {
    return await createKey(deps, { person: { id, email, address }, accountId, name, expiresAt })
  } catch (error) {
    if (error instanceof Failure && error.reason === ('too_many' satisfies Reason))
      return { ok: false, message: error.options.message ?? error.message } as const
    throw error
  }
}
