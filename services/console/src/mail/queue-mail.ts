import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { html } from '@filmgate/kit/http/html'
import { uuidv7 } from 'uuidv7'
import { insertMail } from './mail-repository'

/** A paragraph, or a link on its own with its label. */
export type MailPart = string | { label: string; url: string }

/** `unsubscribeUrl`: for mails that a person has chosen; one POST to it ends them. */
export type Mail = { to: string; subject: string; parts: MailPart[]; unsubscribeUrl?: string }

/** Queues a mail. It is sent after the transaction commits, also if the mail server is down now. */
export async function queueMail(sql: Sql | TransactionSql, { to, subject, parts, unsubscribeUrl }: Mail): Promise<void> {
  await insertMail(sql, {
    id: uuidv7(),
    recipient: to,
    subject: oneLine(subject),
    text: textOf(parts),
    html: htmlOf(parts),
    unsubscribeUrl,
  })
}

const ending = 'Filmgate'

const textOf = (parts: MailPart[]): string =>
  [...parts.map(part => (typeof part === 'string' ? part : `${part.label}:\n${part.url}`)), `-- \n${ending}`].join('\n\n')

const htmlOf = (parts: MailPart[]): string =>
  html`<!doctype html>
<html lang="en"><body style="font:16px/1.5 sans-serif;color:#17202a;max-width:36em">
${parts.map(part => (typeof part === 'string' ? html`<p>${part}</p>` : html`<p><a href="${part.url}">${part.label}</a><br><small>${part.url}</small></p>`))}
<p>${ending}</p>
</body></html>`.text

/** A subject may contain a name that a person chose, but no line break. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 200)
