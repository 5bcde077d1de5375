import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

/** False where it was taken before. */
export async function insertTaken(sql: Sql | TransactionSql, id: string): Promise<boolean> {
  const rows = await sql`insert into form_taken (id) values (${id}) on conflict do nothing returning id`
  return rows.length === 1
}

/** A form is not sent again after days. */
export const deleteTakenBefore = (sql: Sql, before: Date) => sql`delete from form_taken where taken_at < ${before}`
