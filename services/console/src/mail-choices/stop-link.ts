import { createHmac, timingSafeEqual } from 'node:crypto'

export const mailKinds = ['task-ended', 'low-balance'] as const
export type MailKind = (typeof mailKinds)[number]
/** Whose mails of which kind, about which account, a link ends. */
export type Stop = { accountId: string; personId: string; kind: MailKind }

export type StopLinks = { consoleUrl: string; authSecret: string }

/** Mail servers post to it by themselves, so it is open to other sites: the token is its proof. */
export const stopPath = '/e-mails/stop'

/** Works for as long as the console's secret stays: who finds an old mail can end what sent it. It ends mails and opens nothing. */
export const stopUrl = ({ consoleUrl, authSecret }: StopLinks, stop: Stop): string =>
  `${consoleUrl}${stopPath}?token=${encodeURIComponent(tokenOf(stop, authSecret))}`

const tokenOf = (stop: Stop, authSecret: string): string => `${textOf(stop)}.${signatureOf(textOf(stop), authSecret)}`

/** Undefined where it is none of ours. */
export function readStopToken(token: string, authSecret: string): Stop | undefined {
  const parts = token.split('.')
  const [accountId = '', personId = '', kind = '', signature = ''] = parts
  const expected = Buffer.from(signatureOf([accountId, personId, kind].join('.'), authSecret))
  const given = Buffer.from(signature)
  if (parts.length !== 4 || given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return { accountId, personId, kind: kind as MailKind }
}

/** No id has a dot. */
const textOf = ({ accountId, personId, kind }: Stop): string => [accountId, personId, kind].join('.')

const signatureOf = (text: string, authSecret: string): string =>
  createHmac('sha256', authSecret).update(`stop-mails\n${text}`).digest('base64url')
