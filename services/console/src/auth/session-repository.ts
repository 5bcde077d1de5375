import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

/** Records that a session is in use. Called at most once a minute. */
export const touchSession = (sql: Sql, id: string, now: Date) => sql`update session set updated_at = ${now} where id = ${id}`

export const deleteSession = (sql: Sql, id: string) => sql`delete from session where id = ${id}`

/** Deletes expired and idle sessions. */
export const deleteEndedSessions = (sql: Sql, usedBefore: Date) =>
  sql`delete from session where expires_at < now() or updated_at < ${usedBefore}`

export const deleteEndedVerifications = (sql: Sql) => sql`delete from verification where expires_at < now()`

export type SessionRow = { id: string; ipAddress: string | null; userAgent: string | null; createdAt: Date; updatedAt: Date }

/** A person's active sessions, last used first. */
export const listSessions = (sql: Sql, personId: string, usedAfter: Date) =>
  sql<SessionRow[]>`
    select id, ip_address as "ipAddress", user_agent as "userAgent", created_at as "createdAt", updated_at as "updatedAt" from session
    where person_id = ${personId} and expires_at > now() and updated_at > ${usedAfter} order by updated_at desc limit 100`

/** Returns how many sessions were deleted. */
export async function deleteSessionOf(sql: Sql, personId: string, id: string): Promise<number> {
  return (await sql`delete from session where person_id = ${personId} and id = ${id}`).count
}

export async function deleteOtherSessions(sql: Sql, personId: string, keptId: string): Promise<number> {
  return (await sql`delete from session where person_id = ${personId} and id <> ${keptId}`).count
}

/** `codeRequired`: the person has authenticator codes, and this session was opened without a code or a passkey. */
export type SessionProof = { confirmedAt: Date; codeRequired: boolean }

export async function findSessionProof(sql: Sql | TransactionSql, sessionId: string): Promise<SessionProof | undefined> {
  const [row] = await sql<SessionProof[]>`
    select confirmed_at as "confirmedAt", two_factor_enabled and not code_given and opened_by is distinct from 'passkey' as "codeRequired"
    from session join person on person.id = session.person_id where session.id = ${sessionId}`
  return row
}

export const confirmSession = (sql: Sql, id: string) => sql`update session set confirmed_at = now() where id = ${id}`

/** A code also counts as a confirmation. */
export const recordCodeGiven = (sql: Sql, id: string) => sql`update session set code_given = true, confirmed_at = now() where id = ${id}`
