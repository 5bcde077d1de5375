import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

export type PersonRow = { id: string; name: string; email: string; emailVerified: boolean; twoFactorEnabled: boolean }

const columns = (sql: Sql) => sql`id, name, email, email_verified as "emailVerified", two_factor_enabled as "twoFactorEnabled"`

export async function findPersonById(sql: Sql, id: string): Promise<PersonRow | undefined> {
  const [row] = await sql<PersonRow[]>`select ${columns(sql)} from person where id = ${id}`
  return row
}

export async function findPersonByEmail(sql: Sql, email: string): Promise<PersonRow | undefined> {
  const [row] = await sql<PersonRow[]>`select ${columns(sql)} from person where email = ${email}`
  return row
}

/** An unconfirmed sign-up must not block the owner of the address. */
export const deleteUnverifiedPerson = (sql: Sql, email: string) => sql`delete from person where email = ${email} and not email_verified`

/** Deletes people who never confirmed their address. They may sign up again. */
export const deleteUnverifiedBefore = (sql: Sql, before: Date) =>
  sql`delete from person where not email_verified and created_at < ${before}`

/** True if it was not confirmed before. */
export async function markVerified(sql: Sql | TransactionSql, id: string): Promise<boolean> {
  const rows = await sql`update person set email_verified = true, updated_at = now() where id = ${id} and not email_verified returning id`
  return rows.length === 1
}

export async function findPasswordHash(sql: Sql, personId: string): Promise<string | undefined> {
  const [row] = await sql<{ password: string | null }[]>`
    select password from credential where person_id = ${personId} and provider_id = 'credential'`
  return row?.password ?? undefined
}

/** A person whose address needs no confirmation: the developer of a local stack. */
export const insertVerifiedPerson = (sql: TransactionSql, { id, name, email }: { id: string; name: string; email: string }) =>
  sql`insert into person (id, name, email, email_verified) values (${id}, ${name}, ${email}, true)`
