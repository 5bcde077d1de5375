import type { Sql } from '@filmgate/kit/database/postgres'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { deleteDeclinedTasks } from '../task-repository'

/** A client waits at most 250 s for the answer; for the rest of the hour an operator can still look it up. */
const keptMs = 3_600_000
const rowsMax = 1_000

const forgotten = counter('declined_tasks_forgotten', 'Tasks deleted that were refused before credits were reserved')

/** Deletes what was refused an hour ago and never had credits, `rowsMax` tasks a statement. Returns how many. */
export async function forgetDeclined(sql: Sql, signal: AbortSignal): Promise<number> {
  let deleted = 0
  for (let rows = rowsMax; rows === rowsMax && !signal.aborted; deleted += rows) {
    rows = await deleteDeclinedTasks(sql, keptMs, rowsMax)
    forgotten.add(rows)
  }
  return deleted
}
