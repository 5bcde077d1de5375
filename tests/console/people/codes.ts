import { password } from './sign-up'
import { totp } from './totp'
import { hiddenIn, type Wire } from './wire'

/** Has a code asked for after the password of somebody who is signed in; returns the authenticator's secret. */
export async function turnCodesOn(wire: Wire): Promise<string> {
  const { text } = await wire.post('/security/codes/start', { password })
  const secret = /id="totp-secret">([A-Z2-7]+)</.exec(text)?.[1]
  if (!secret) throw new Error(`no secret in ${text.slice(0, 500)}`)
  const confirmed = await wire.post('/security/codes/confirm', { uri: hiddenIn(text, 'uri'), code: totp(secret) })
  if (!confirmed.text.includes('backup-codes')) throw new Error(`codes are not on: ${confirmed.status}`)
  return secret
}
