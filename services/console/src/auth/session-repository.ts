import type { Sql } from '@filmgate/kit/database/postgres'

/** Notes that a session is used; not more often than every some minutes. */
export const touchSession = (sql: Sql, id: string, now: Date) => sql`update session set updated_at = ${now} where id = ${id}`

export const deleteSession = (sql: Sql, id: string) => sql`delete from session where id = ${id}`
