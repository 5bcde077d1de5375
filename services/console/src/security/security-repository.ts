import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

export type PasskeyRow = { id: string; name: string | null; createdAt: Date; backedUp: boolean }

export const listPasskeys = (sql: Sql, personId: string) =>
  sql<PasskeyRow[]>`
    select id, name, created_at as "createdAt", backed_up as "backedUp" from passkey where person_id = ${personId} order by created_at, id`

export async function renamePasskey(sql: Sql, personId: string, id: string, name: string): Promise<boolean> {
  return (await sql`update passkey set name = ${name} where id = ${id} and person_id = ${personId}`).count === 1
}

export async function deletePasskey(sql: Sql, personId: string, id: string): Promise<boolean> {
  return (await sql`delete from passkey where id = ${id} and person_id = ${personId}`).count === 1
}

/** False if the person has that name. */
export async function renamePerson(sql: TransactionSql, personId: string, name: string): Promise<boolean> {
  return (await sql`update person set name = ${name}, updated_at = now() where id = ${personId} and name <> ${name}`).count === 1
}

/** The person's sign-in methods besides passkeys. */
export async function findSignInMethods(sql: Sql, personId: string): Promise<{ password: boolean; oidc: boolean; secondFactor: boolean }> {
  const [row] = await sql<[{ password: boolean; oidc: boolean; secondFactor: boolean }]>`
    select exists (select 1 from credential where person_id = ${personId} and password is not null) as password,
      exists (select 1 from credential where person_id = ${personId} and provider_id = 'oidc') as oidc,
      coalesce((select two_factor_enabled from person where id = ${personId}), false) as "secondFactor"`
  return row
}

export async function findCredentialId(sql: Sql, personId: string, providerId: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`select id from credential where person_id = ${personId} and provider_id = ${providerId}`
  return row?.id
}
