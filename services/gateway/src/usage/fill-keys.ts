import type { Sql } from '@filmgate/kit/database/postgres'
import { fillRecordKeys } from './usage-repository'

const rowsMax = 2_000

/** Gives the records that a version before wrote the key and the tags of their tasks, `rowsMax` a statement. Returns how many. */
export async function fillKeys(sql: Sql, signal: AbortSignal): Promise<number> {
  let filled = 0
  for (let rows = rowsMax; rows === rowsMax && !signal.aborted; filled += rows) rows = await fillRecordKeys(sql, rowsMax)
  return filled
}
