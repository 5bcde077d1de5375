import type { Sql } from '@filmgate/kit/database/postgres'

/** Whether this person's password alone opens nothing: a second factor is asked for beside it, or there are passkeys and no password at all. */
export async function hasSecondFactor(sql: Sql, personId: string): Promise<boolean> {
  const rows = await sql`
    select from person
    where id = ${personId}
      and (two_factor_enabled
           or exists (select from passkey where person_id = person.id) and not exists (select from credential where person_id = person.id))`
  return rows.length === 1
}
