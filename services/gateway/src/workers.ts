import type { Sql } from '@filmgate/kit/database/postgres'
import { startOnceMigrated } from '@filmgate/kit/database/start-once-migrated'
import { every } from '@filmgate/kit/process/every'
import type { Log } from '@filmgate/kit/telemetry/log'
import { migrationsFolder } from './database/migrations-folder'
import { type RetellDeps, retellSilent } from './retelling/retell'
import { forgetDeclined } from './tasks/forgetting/forget-declined'

export type WorkersDeps = RetellDeps & {
  sql: Sql
  log: Log
  /** Without the broker, requests that are told again would only wait in the outbox. */
  brokerConnected(): boolean
  retellAfterMs: number
  retellEveryMs: number
  forgetDeclinedEveryMs: number
}

/** Of one round: after a long outage the pipeline is not to get everything that waits at once. */
const retoldMax = 200
const retellWaitMsMax = 86_400_000

/** Works by the clock once the tables are there; what is not done now is done in the next round, here or at another replica. */
export function startWorkers(deps: WorkersDeps): { stop(): Promise<void> } {
  const { sql, log, retellAfterMs, retellEveryMs, forgetDeclinedEveryMs } = deps

  async function retell(): Promise<void> {
    if (!deps.brokerConnected()) return
    const tasks = await retellSilent(deps, { afterMs: retellAfterMs, waitMsMax: retellWaitMsMax, rowsMax: retoldMax })
    if (tasks > 0) log.warn({ tasks }, 'nothing was heard of these tasks for long: told again')
  }

  return startOnceMigrated({ sql, folder: migrationsFolder, log }, () => {
    const stopping = new AbortController()
    const working = [
      every(retellEveryMs, retell, { log, name: 'retell silent tasks' }),
      every(forgetDeclinedEveryMs, () => forgetDeclined(sql, stopping.signal), { log, name: 'forget declined tasks' }),
    ]
    return {
      async stop() {
        stopping.abort()
        await Promise.all(working.map(each => each.stop()))
      },
    }
  })
}
