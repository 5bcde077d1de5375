import type { Log } from '../telemetry/log'
import { waitForMigrations } from './migrate'
import type { Sql } from './postgres'

export type OnceMigrated<T> = {
  /** What was started; undefined until the tables are there. */
  started(): T | undefined
  stop(): Promise<void>
}

/** Starts what needs the tables of `folder`'s migrations once they are there, however late that is, and stops it. */
export function startOnceMigrated<T extends { stop(): Promise<unknown> }>(
  { sql, folder, log }: { sql: Sql; folder: string; log: Log },
  start: () => T,
): OnceMigrated<T> {
  const stopping = new AbortController()
  let started: T | undefined
  const starting = waitForMigrations({ sql, folder, log, signal: stopping.signal }).then(migrated => {
    if (migrated) started = start()
  })
  return {
    started: () => started,
    async stop() {
      stopping.abort()
      await starting
      await started?.stop()
    },
  }
}
