import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

type UploadCount = { accountId: string; now: Date; bytes: number; uploadsMax: number; bytesMax: number }

/**
 * Counts an upload of this hour. Returns false if it exceeds the account's limit. A single statement, so that
 * concurrent uploads see each other.
 */
export async function countUpload(
  sql: Sql | TransactionSql,
  { accountId, now, bytes, uploadsMax, bytesMax }: UploadCount,
): Promise<boolean> {
  const rows = await sql`
    insert into upload_hour (account_id, hour, uploads, bytes) values (${accountId}, date_trunc('hour', ${now}::timestamptz), 1, ${bytes})
    on conflict (account_id, hour) do update set uploads = upload_hour.uploads + 1, bytes = upload_hour.bytes + excluded.bytes
      where upload_hour.uploads < ${uploadsMax} and upload_hour.bytes + excluded.bytes <= ${bytesMax}
    returning account_id`
  return rows.length === 1
}

export const deleteUploadHours = (sql: Sql, before: Date) => sql`delete from upload_hour where hour < ${before}`
