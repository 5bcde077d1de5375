import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Attempt } from '../attempt/attempt'
import { attemptColumns } from '../attempt/attempt-repository'

/** `copyingMsAgo`: since its copy was tried first, or an operator had it tried anew. `orderTerms`: null where an earlier version planned it. */
export type CopyingAttempt = Attempt & { copyingMsAgo: number; inReview: boolean; orderTerms: Uint8Array | null }

export async function findCopying(sql: Sql, id: string): Promise<CopyingAttempt | undefined> {
  const [row] = await sql<CopyingAttempt[]>`
    select ${attemptColumns(sql)},
           (extract(epoch from now() - coalesce(copying_since, updated_at)) * 1000)::float8 as "copyingMsAgo",
           review_since is not null as "inReview", order_terms as "orderTerms"
    from attempt where id = ${id} and state = 'copying'`
  return row
}

export type ExpiredOutput = { attemptId: string; key: string }

/** Outputs past their retention, whatever became of their attempts, locked; those another process holds are left to it. */
export const lockExpiredOutputs = (sql: TransactionSql, rowsMax: number) =>
  sql<ExpiredOutput[]>`
    select id as "attemptId", output_key as key from attempt
    where output_expires_at < now() and ended_at is not null
    order by output_expires_at limit ${rowsMax} for update skip locked`

/** How long the oldest of them is past its retention; 0 where none is. */
export async function findExpiryOverdueSeconds(sql: Sql): Promise<number> {
  const [row] = await sql<{ seconds: number }[]>`
    select extract(epoch from now() - output_expires_at)::float8 as seconds from attempt
    where output_expires_at < now() and ended_at is not null
    order by output_expires_at limit 1`
  return row?.seconds ?? 0
}

export async function forgetOutputs(sql: TransactionSql, attemptIds: string[]): Promise<void> {
  await sql`update attempt set output_expires_at = null, updated_at = now() where id = any(${attemptIds}::text[])`
}

/** Ended attempts whose id comes before `idBefore` and whose output is gone, in portions. Ids sort by age. Returns how many were deleted. */
export async function deleteEndedAttempts(sql: Sql, idBefore: string, rowsMax: number): Promise<number> {
  const deleted = await sql`
    delete from attempt where id in (
      select id from attempt
      where id < ${idBefore} and ended_at is not null and output_expires_at is null
      order by id limit ${rowsMax} for update skip locked)`
  return deleted.count
}
