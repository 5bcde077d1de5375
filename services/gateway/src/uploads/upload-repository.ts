import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { UploadVerdict } from '@filmgate/proto/upload-verdict'

/** `finding`: null until it has arrived and was judged. */
export type Upload = { id: string; accountId: string; ending: string; bytes: number; createdAt: Date; finding: UploadVerdict | null }

/** Until the transaction's end, no other upload of the account is counted. */
export const lockUploadsOf = (sql: TransactionSql, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`upload ${accountId}`}, 0))`

/** How much an account has put there: the files of the last hour, the bytes of all that are kept, and when each lets go of its first. */
export type UploadSums = { hourCount: number; hourFirstAt: Date | null; bytes: number; firstAt: Date | null }

export async function sumUploads(
  sql: TransactionSql,
  { accountId, hourFrom, keptFrom }: { accountId: string; hourFrom: Date; keptFrom: Date },
): Promise<UploadSums> {
  const [row] = await sql<[UploadSums]>`
    select count(*) filter (where created_at > ${hourFrom})::int as "hourCount", min(created_at) filter (where created_at > ${hourFrom}) as "hourFirstAt",
      coalesce(sum(bytes), 0)::float8 as bytes, min(created_at) as "firstAt"
    from upload where account_id = ${accountId} and created_at > ${keptFrom}`
  return row
}

export const insertUpload = (sql: TransactionSql, { id, accountId, ending, bytes, createdAt }: Omit<Upload, 'finding'>) => sql`
  insert into upload (id, account_id, ending, bytes, created_at) values (${id}, ${accountId}, ${ending}, ${bytes}, ${createdAt})
  on conflict (id) do update set created_at = excluded.created_at`

export async function findUpload(
  sql: Sql | TransactionSql,
  { id, accountId, keptFrom }: { id: string; accountId: string; keptFrom: Date },
): Promise<Upload | undefined> {
  const [row] = await sql<Upload[]>`
    select id, account_id as "accountId", ending, bytes::float8 as bytes, created_at as "createdAt", finding from upload
    where id = ${id} and account_id = ${accountId} and created_at > ${keptFrom}`
  return row
}

export const keepFinding = (sql: Sql, id: string, finding: UploadVerdict) =>
  sql`update upload set finding = ${sql.json(finding)} where id = ${id}`

export const deleteUploadRows = (sql: Sql, before: Date) => sql`delete from upload where created_at < ${before}`
