import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

type UploadCount = { accountId: string; now: Date; bytes: number; uploadsMax: number; bytesMax: number }

/**
 * Counts an upload: in this hour, and by the bytes of a day, after which uploads are deleted. Returns false if it
 * exceeds the account's limits. A single statement, so that concurrent uploads see each other.
 */
export async function countUpload(
  sql: Sql | TransactionSql,
  { accountId, now, bytes, uploadsMax, bytesMax }: UploadCount,
): Promise<boolean> {
  const rows = await sql`
    with clock as (select date_trunc('hour', ${now}::timestamptz) as hour), earlier as (
      select coalesce(sum(bytes), 0)::bigint as bytes from upload_hour, clock
      where account_id = ${accountId} and upload_hour.hour > clock.hour - interval '1 day' and upload_hour.hour < clock.hour
    )
    insert into upload_hour (account_id, hour, uploads, bytes)
    select ${accountId}, clock.hour, 1, ${bytes}::bigint from clock, earlier where earlier.bytes + ${bytes}::bigint <= ${bytesMax}::bigint
    on conflict (account_id, hour) do update set uploads = upload_hour.uploads + 1, bytes = upload_hour.bytes + excluded.bytes
      where upload_hour.uploads < ${uploadsMax}
        and upload_hour.bytes + excluded.bytes + (select bytes from earlier) <= ${bytesMax}::bigint
    returning account_id`
  return rows.length === 1
}

/** Uploads of the hour, and the bytes of its day. */
export async function findUploadCounts(
  sql: Sql | TransactionSql,
  accountId: string,
  now: Date,
): Promise<{ uploads: number; bytes: number }> {
  const [row] = await sql<{ uploads: number; bytes: number }[]>`
    select coalesce(sum(uploads) filter (where hour = date_trunc('hour', ${now}::timestamptz)), 0)::int as uploads,
      coalesce(sum(bytes), 0)::float8 as bytes
    from upload_hour where account_id = ${accountId} and hour > date_trunc('hour', ${now}::timestamptz) - interval '1 day'`
  return row ?? { uploads: 0, bytes: 0 }
}

export const deleteUploadHours = (sql: Sql, before: Date) => sql`delete from upload_hour where hour < ${before}`
