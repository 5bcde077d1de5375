import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { html } from '@filmgate/kit/http/html'
import { uuidv7 } from 'uuidv7'
import { insertMail } from './mail-repository'

/** A paragraph, or a link that stands alone with its words. */
export type MailPart = string | { words: string; url: string }

/** `stopUrl`: of mails that a person has chosen; one POST to it ends them. */
export type Mail = { to: string; subject: string; parts: MailPart[]; stopUrl?: string }

/** Has a mail sent once the transaction it is queued in is committed; the mail server may be away. */
export async function queueMail(sql: Sql | TransactionSql, { to, subject, parts, stopUrl }: Mail): Promise<void> {
  await insertMail(sql, { id: uuidv7(), recipient: to, subject: oneLine(subject), text: textOf(parts), html: htmlOf(parts), stopUrl })
}

const ending = 'Filmgate'

const textOf = (parts: MailPart[]): string =>
  [...parts.map(part => (typeof part === 'string' ? part : `${part.words}:\n${part.url}`)), `-- \n${ending}`].join('\n\n')

const htmlOf = (parts: MailPart[]): string =>
  html`<!doctype html>
<html lang="en"><body style="font:16px/1.5 sans-serif;color:#17202a;max-width:36em">
${parts.map(part => (typeof part === 'string' ? html`<p>${part}</p>` : html`<p><a href="${part.url}">${part.words}</a><br><small>${part.url}</small></p>`))}
<p>${ending}</p>
</body></html>`.text

/** A name that a person chose may stand in a subject, a line's end may not. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 200)
