import type { Sql, TransactionSql } from '../database/postgres'
import { counter } from '../telemetry/metrics'
import { deleteOutbox, lockOldOutbox, lockRefusedOutbox, lockSweep, type OutboxRow, postponeOutbox } from './outbox-repository'
import { type PublishDeps, publishRows } from './publish-rows'

/** Older rows were left by a crash or a broker that did not answer; younger ones are being published by whoever wrote them. */
export const sweepAfterMs = 4_000
const sweepRowsMax = 1_000
/** What was refused before gets so much of a sweep, so that the next one comes to what is new. */
const refusedMsMax = 5_000
/** How long a refused row is put off at first, and at most. */
const putOffSeconds = 4
const putOffSecondsMax = 300

const swept = counter('outbox_swept', 'Events that the sweeper published')

export type SweepDeps = PublishDeps & { sql: Sql }
type Lock = (sql: TransactionSql) => Promise<OutboxRow[]>

/**
 * Publishes what was left, first what was never refused. Every row it looks at leaves the outbox or is put off, so it goes on past refused ones:
 * those of one topic stop neither another's nor later ones of their own.
 */
export async function sweep(deps: SweepDeps, signal: AbortSignal): Promise<void> {
  const refusedTopics = new Set<string>()
  const old: Lock = sql => lockOldOutbox(sql, sweepAfterMs, sweepRowsMax)
  const refused: Lock = sql => lockRefusedOutbox(sql, sweepRowsMax)
  while (!signal.aborted && (await sweepPortion(deps, old, refusedTopics)));
  const end = performance.now() + refusedMsMax
  while (!signal.aborted && performance.now() < end && (await sweepPortion(deps, refused, refusedTopics)));
}

/** True where there may be more. */
const sweepPortion = ({ sql, ...deps }: SweepDeps, lock: Lock, refusedTopics: Set<string>): Promise<boolean> =>
  sql.begin(async sql => {
    if (!(await lockSweep(sql as TransactionSql))) return false
    const rows = await lock(sql as TransactionSql)
    const { taken, refused } = await publishRows(deps, rows, refusedTopics)
    if (taken.length > 0) await deleteOutbox(sql as TransactionSql, taken)
    if (refused.length > 0) await postponeOutbox(sql as TransactionSql, refused, putOffSeconds, putOffSecondsMax)
    swept.add(taken.length)
    return rows.length === sweepRowsMax
  }) as Promise<boolean>
