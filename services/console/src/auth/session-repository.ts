import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

/** Notes that a session is used; not more often than every some minutes. */
export const touchSession = (sql: Sql, id: string, now: Date) => sql`update session set updated_at = ${now} where id = ${id}`

export const deleteSession = (sql: Sql, id: string) => sql`delete from session where id = ${id}`

/** Those whose days are over, and those that rested for too long. */
export const deleteEndedSessions = (sql: Sql, usedBefore: Date) =>
  sql`delete from session where expires_at < now() or updated_at < ${usedBefore}`

export const deleteEndedVerifications = (sql: Sql) => sql`delete from verification where expires_at < now()`

export type SessionRow = { id: string; ipAddress: string | null; userAgent: string | null; createdAt: Date; updatedAt: Date }

/** A person's sessions that haven't ended, the last used first. */
export const listSessions = (sql: Sql, personId: string, usedAfter: Date) =>
  sql<SessionRow[]>`
    select id, ip_address as "ipAddress", user_agent as "userAgent", created_at as "createdAt", updated_at as "updatedAt" from session
    where person_id = ${personId} and expires_at > now() and updated_at > ${usedAfter} order by updated_at desc limit 100`

/** How many ended: one of them, or all but the one that is kept. */
export async function deleteSessionOf(sql: Sql, personId: string, id: string): Promise<number> {
  return (await sql`delete from session where person_id = ${personId} and id = ${id}`).count
}

export async function deleteOtherSessions(sql: Sql, personId: string, keptId: string): Promise<number> {
  return (await sql`delete from session where person_id = ${personId} and id <> ${keptId}`).count
}

/** `owesCode`: the person has codes of an authenticator, and the session neither one of them nor a passkey. */
export type Proof = { confirmedAt: Date; owesCode: boolean }

export async function findProof(sql: Sql | TransactionSql, sessionId: string): Promise<Proof | undefined> {
  const [row] = await sql<Proof[]>`
    select confirmed_at as "confirmedAt", two_factor_enabled and not code_given and opened_by is distinct from 'passkey' as "owesCode"
    from session join person on person.id = session.person_id where session.id = ${sessionId}`
  return row
}

export const confirmSession = (sql: Sql, id: string) => sql`update session set confirmed_at = now() where id = ${id}`

/** A code proves who is there, too. */
export const keepCodeGiven = (sql: Sql, id: string) => sql`update session set code_given = true, confirmed_at = now() where id = ${id}`
