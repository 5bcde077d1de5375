import type { Sql } from '@filmgate/kit/database/postgres'
import type { Role } from '../../accounts/roles'

export type FoundPerson = { id: string; name: string; email: string; emailVerified: boolean; createdAt: Date }

const columns = (sql: Sql) => sql`id, name, email, email_verified as "emailVerified", created_at as "createdAt"`

/** People whose address or name has this text, by address. */
export const searchPeople = (sql: Sql, text: string, rowsMax: number) =>
  sql<FoundPerson[]>`
    select ${columns(sql)} from person
    where strpos(email, lower(${text})) > 0 or strpos(lower(name), lower(${text})) > 0 order by email limit ${rowsMax}`

export async function findPerson(sql: Sql, id: string): Promise<FoundPerson | undefined> {
  const [person] = await sql<FoundPerson[]>`select ${columns(sql)} from person where id = ${id}`
  return person
}

export type PersonAccount = { accountId: string; accountName: string; role: Role; since: Date; closedAt: Date | null }

/** Closed ones too. */
export const listAccounts = (sql: Sql, personId: string) =>
  sql<PersonAccount[]>`
    select account.id as "accountId", account.name as "accountName", membership.role, membership.created_at as since, account.closed_at as "closedAt"
    from membership join account on account.id = membership.account_id
    where membership.person_id = ${personId} order by membership.created_at, account.id`

export type SentMail = { subject: string; createdAt: Date; sentAt: Date | null; failedAt: Date | null; lastError: string | null }

/** Newest first, as far back as mails are kept. */
export const listMails = (sql: Sql, email: string, rowsMax: number) =>
  sql<SentMail[]>`
    select subject, created_at as "createdAt", sent_at as "sentAt", failed_at as "failedAt", last_error as "lastError"
    from mail where recipient = ${email} order by created_at desc limit ${rowsMax}`
