import type { Sql } from '@filmgate/kit/database/postgres'

/** Notes that a session is used; not more often than every some minutes. */
export const touchSession = (sql: Sql, id: string, now: Date) => sql`update session set updated_at = ${now} where id = ${id}`

export const deleteSession = (sql: Sql, id: string) => sql`delete from session where id = ${id}`

/** Those whose days are over, and those that rested for too long. */
export const deleteEndedSessions = (sql: Sql, usedBefore: Date) =>
  sql`delete from session where expires_at < now() or updated_at < ${usedBefore}`

export const deleteEndedVerifications = (sql: Sql) => sql`delete from verification where expires_at < now()`
