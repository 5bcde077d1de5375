import type { Sql } from '@filmgate/kit/database/postgres'

/** A person's sign-in methods, and how the session was opened. */
export type Factors = {
  codesOn: boolean
  hasPasskey: boolean
  hasPassword: boolean
  hasProvider: boolean
  openedBy: string | null
  codeGiven: boolean
}

export async function findFactors(sql: Sql, sessionId: string): Promise<Factors | undefined> {
  const [row] = await sql<Factors[]>`
    select two_factor_enabled as "codesOn", opened_by as "openedBy", code_given as "codeGiven",
      exists (select from passkey where person_id = person.id) as "hasPasskey",
      exists (select from credential where person_id = person.id and password is not null) as "hasPassword",
      exists (select from credential where person_id = person.id and password is null) as "hasProvider"
    from session join person on person.id = session.person_id where session.id = ${sessionId}`
  return row
}
