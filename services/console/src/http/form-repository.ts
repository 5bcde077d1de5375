import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

/** False if the form was submitted before. */
export async function insertSubmittedForm(sql: Sql | TransactionSql, id: string): Promise<boolean> {
  const rows = await sql`insert into form_taken (id) values (${id}) on conflict do nothing returning id`
  return rows.length === 1
}

/** Submitted form ids are not needed after some days. */
export const deleteSubmittedFormsBefore = (sql: Sql, before: Date) => sql`delete from form_taken where taken_at < ${before}`
