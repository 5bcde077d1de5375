import type { Sql } from '@filmgate/kit/database/postgres'
import { deleteDeclined } from '../database/declined-repository'

/** After admit_by: long enough for replicas whose clocks differ, and for an operator who looks for the refusal soon after. */
const keptMs = 3_600_000
const rowsMax = 5_000

/** Deletes refusals of requests that are too late to be admitted: delivered again, such a request is refused without a row here. */
export async function forgetDeclined({ sql, now }: { sql: Sql; now(): number }): Promise<number> {
  let forgotten = 0
  for (;;) {
    const deleted = await deleteDeclined(sql, now() - keptMs, rowsMax)
    forgotten += deleted
    if (deleted < rowsMax) return forgotten
  }
}
