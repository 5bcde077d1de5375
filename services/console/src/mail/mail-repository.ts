import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

export type NewMailRow = { id: string; recipient: string; subject: string; text: string; html: string; unsubscribeUrl?: string | null }
export type ClaimedMail = NewMailRow & { tries: number; createdAt: Date }

export const insertMail = (sql: Sql | TransactionSql, { id, recipient, subject, text, html, unsubscribeUrl }: NewMailRow) => sql`
  insert into mail (id, recipient, subject, body_text, body_html, stop_url)
  values (${id}, ${recipient}, ${subject}, ${text}, ${html}, ${unsubscribeUrl ?? null})`

/** Claims due mails for `leaseMs`. */
export const claimMails = (sql: Sql, limit: number, leaseMs: number) =>
  sql<ClaimedMail[]>`
    update mail set tries = tries + 1, next_try_at = now() + ${leaseMs} * interval '1 millisecond'
    where id in (
      select id from mail where sent_at is null and failed_at is null and next_try_at <= now()
      order by next_try_at limit ${limit} for update skip locked)
    returning id, recipient, subject, body_text as text, body_html as html, stop_url as "unsubscribeUrl", tries, created_at as "createdAt"`

export const markSent = (sql: Sql, id: string) =>
  sql`update mail set sent_at = now(), body_text = null, body_html = null, stop_url = null, last_error = null where id = ${id}`

export const markFailed = (sql: Sql, id: string, error: string) =>
  sql`update mail set failed_at = now(), body_text = null, body_html = null, stop_url = null, last_error = ${error} where id = ${id}`

export const delayMail = (sql: Sql, id: string, ms: number, error: string) =>
  sql`update mail set next_try_at = now() + ${ms} * interval '1 millisecond', last_error = ${error} where id = ${id}`

export async function countPendingMails(sql: Sql): Promise<number> {
  const [row] = await sql<{ waiting: number }[]>`select count(*)::int as waiting from mail where sent_at is null and failed_at is null`
  return row?.waiting ?? 0
}

export const deleteMailsBefore = (sql: Sql, before: Date) =>
  sql`delete from mail where created_at < ${before} and (sent_at is not null or failed_at is not null)`
