import { createHmac, timingSafeEqual } from 'node:crypto'

export const mailKinds = ['task-ended', 'low-balance', 'warnings'] as const
export type MailKind = (typeof mailKinds)[number]
/** The mails that an unsubscribe link ends: of a person, an account and a kind. */
export type Subscription = { accountId: string; personId: string; kind: MailKind }

export type UnsubscribeLinks = { consoleUrl: string; authSecret: string }

/** Mail software posts to it by itself, so it accepts cross-site requests. The token authenticates them. */
export const unsubscribePath = '/e-mails/stop'

/** Valid as long as the console's secret doesn't change. The link can only end mails. */
export const unsubscribeUrl = ({ consoleUrl, authSecret }: UnsubscribeLinks, subscription: Subscription): string =>
  `${consoleUrl}${unsubscribePath}?token=${encodeURIComponent(tokenOf(subscription, authSecret))}`

const tokenOf = (subscription: Subscription, authSecret: string): string =>
  `${textOf(subscription)}.${signatureOf(textOf(subscription), authSecret)}`

/** Undefined if the signature is invalid. */
export function readUnsubscribeToken(token: string, authSecret: string): Subscription | undefined {
  const parts = token.split('.')
  const [accountId = '', personId = '', kind = '', signature = ''] = parts
  const expected = Buffer.from(signatureOf([accountId, personId, kind].join('.'), authSecret))
  const given = Buffer.from(signature)
  if (parts.length !== 4 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return { accountId, personId, kind: kind as MailKind }
}

/** Ids contain no dots. */
const textOf = ({ accountId, personId, kind }: Subscription): string => [accountId, personId, kind].join('.')

const signatureOf = (text: string, authSecret: string): string =>
  createHmac('sha256', authSecret).update(`stop-mails\n${text}`).digest('base64url')
