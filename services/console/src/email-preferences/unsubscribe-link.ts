import type { Secrets } from '@filmgate/kit/environment/secrets'
import { signatureOf, signersOf } from '../auth/signature'

export const mailKinds = ['task-ended', 'low-balance', 'warnings'] as const
export type MailKind = (typeof mailKinds)[number]
/** The mails that an unsubscribe link ends: of a person, an account and a kind. */
export type Subscription = { accountId: string; personId: string; kind: MailKind }

export type UnsubscribeLinks = { consoleUrl: string; authSecret: string }

/** Mail software posts to it by itself, so it accepts cross-site requests. The token authenticates them. */
export const unsubscribePath = '/e-mails/stop'

/** Valid as long as the console accepts its secret. The link can only end mails. */
export const unsubscribeUrl = ({ consoleUrl, authSecret }: UnsubscribeLinks, subscription: Subscription): string =>
  `${consoleUrl}${unsubscribePath}?token=${encodeURIComponent(tokenOf(subscription, authSecret))}`

const tokenOf = (subscription: Subscription, authSecret: string): string =>
  `${textOf(subscription)}.${signatureOf(authSecret, signedText(textOf(subscription)))}`

/** Undefined if the signature is invalid. */
export function readUnsubscribeToken(token: string, authSecrets: Secrets): Subscription | undefined {
  const parts = token.split('.')
  const [accountId = '', personId = '', kind = '', signature = ''] = parts
  const signed = signedText([accountId, personId, kind].join('.'))
  if (parts.length !== 4 || signersOf(authSecrets, signed, signature).length === 0) return undefined
  return { accountId, personId, kind: kind as MailKind }
}

/** Ids contain no dots. */
const textOf = ({ accountId, personId, kind }: Subscription): string => [accountId, personId, kind].join('.')

const signedText = (text: string): string => `stop-mails\n${text}`
