import type { Sql } from '@filmgate/kit/postgres'
import { deleteDeclined } from './declined-repository'

/** Long after admit_by, so that clocks that differ find the refusal still there, and an operator who is asked at once. */
const keptMs = 3_600_000
const rowsMax = 5_000

/** Forgets refusals: their requests have long been too late to be admitted, so that a second delivery is refused without them. */
export async function forgetDeclined({ sql, now }: { sql: Sql; now(): number }): Promise<number> {
  let forgotten = 0
  for (;;) {
    const deleted = await deleteDeclined(sql, now() - keptMs, rowsMax)
    forgotten += deleted
    if (deleted < rowsMax) return forgotten
  }
}
