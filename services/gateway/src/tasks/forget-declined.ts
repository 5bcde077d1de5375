import { pause } from '@filmgate/kit/deadline'
import type { Log } from '@filmgate/kit/log'
import { counter } from '@filmgate/kit/metrics'
import type { Sql } from '@filmgate/kit/postgres'
import { deleteDeclinedTasks } from './task-repository'

/** Long after the last that waits for the answer has it, 250 s; so long an operator can still look it up. */
const keptMs = 3_600_000
const rowsMax = 1_000

const forgotten = counter('declined_tasks_forgotten', 'Tasks deleted that were refused before credits were reserved')

/** Deletes what was refused an hour ago and never had credits, in small portions. Returns how many. */
export async function forgetDeclined(sql: Sql, signal: AbortSignal): Promise<number> {
  let deleted = 0
  for (let rows = rowsMax; rows === rowsMax && !signal.aborted; deleted += rows) {
    rows = await deleteDeclinedTasks(sql, keptMs, rowsMax)
    forgotten.add(rows)
  }
  return deleted
}

export type ForgettingDeps = { sql: Sql; log: Log; forgetDeclinedEveryMs: number; migrated(): boolean }

/** Does so again and again until stopped; what is not done now is done in the next round, here or at another replica. */
export function startForgetting({ sql, log, forgetDeclinedEveryMs, migrated }: ForgettingDeps): { stop(): Promise<void> } {
  const stopping = new AbortController()
  async function repeat(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(forgetDeclinedEveryMs, stopping.signal)
      if (!migrated()) continue
      await forgetDeclined(sql, stopping.signal).catch(error => log.warn({ err: error }, 'declined tasks not forgotten now'))
    }
  }
  const repeating = repeat()
  return {
    async stop() {
      stopping.abort()
      await repeating
    },
  }
}
