import type { Sql } from '@filmgate/kit/database/postgres'
import { deleteOldCounts, deleteOldLogged } from './request-log-repository'

export const requestsKeptDays = 30
const rowsMax = 5_000

/** Deletes requests and counts that are older than `requestsKeptDays`, `rowsMax` requests a statement. */
export async function forgetRequests(sql: Sql, signal: AbortSignal): Promise<void> {
  for (let rows = rowsMax; rows === rowsMax && !signal.aborted; ) rows = await deleteOldLogged(sql, requestsKeptDays, rowsMax)
  await deleteOldCounts(sql, requestsKeptDays)
}
