import type { Sql } from '@filmgate/kit/database/postgres'
import { type UnsubscribeLinks, unsubscribeUrl } from '../email-preferences/unsubscribe-link'
import type { Gateway } from '../gateway/gateway'
import { requestAsConsole } from '../gateway/request-as-console'
import { type Mail, queueMail } from '../mail/queue-mail'
import { budgetMail, type Crossing } from './budget-mail'
import { type Pause, pauseMail } from './pause-mail'
import { insertWarnings, listRecipients, type Recipient } from './warning-repository'

export type WarnDeps = { sql: Sql; gateway: Gateway } & UnsubscribeLinks

type Notice = { id: string; account_id: string }

/** What the gateway tells at `path` until it is taken, and the mail of it. `memberId`: whom it is about, beside the owners. */
export type Warnings<N extends Notice> = {
  path: string
  memberId(notice: N): string | null
  mail(notice: N, recipient: Recipient, links: { consoleUrl: string; unsubscribeUrl: string }): Mail
}

export const budgetWarnings: Warnings<Crossing> = {
  path: '/budget-crossings',
  memberId: ({ budget, subject_id }) => (budget === 'member' ? subject_id : null),
  mail: budgetMail,
}

export const pauseWarnings: Warnings<Pause> = { path: '/webhook-pauses', memberId: () => null, mail: pauseMail }

/** Of one look: each has at most 200 notices. */
const roundsMax = 20

/** A notice and its mails are stored in one transaction, before the gateway is told that it is taken: one that comes again mails nothing. */
export async function sendWarnings<N extends Notice>({ sql, gateway, ...links }: WarnDeps, warnings: Warnings<N>): Promise<void> {
  let taken: string[] = []
  for (let round = 0; round < roundsMax; round++) {
    const notices = await requestAsConsole<N>(gateway, warnings.path, { taken })
    if (notices.length === 0) return
    taken = notices.map(({ id }) => id)
    await sql.begin(async sql => {
      const fresh = await insertWarnings(sql, taken)
      for (const notice of notices) {
        if (!fresh.has(notice.id)) continue
        const accountId = notice.account_id
        for (const recipient of await listRecipients(sql, { accountId, memberId: warnings.memberId(notice) })) {
          const stopUrl = unsubscribeUrl(links, { accountId, personId: recipient.personId, kind: 'warnings' })
          await queueMail(sql, warnings.mail(notice, recipient, { consoleUrl: links.consoleUrl, unsubscribeUrl: stopUrl }))
        }
      }
    })
  }
}
