import type { Sql } from '@filmgate/kit/database/postgres'
import { startOnceMigrated } from '@filmgate/kit/database/start-once-migrated'
import { every } from '@filmgate/kit/process/every'
import type { Log } from '@filmgate/kit/telemetry/log'
import { migrationsFolder } from './database/migrations-folder'
import { type ReplayDeps, replaySilent } from './recovery/replay'
import { forgetDeclined } from './tasks/forgetting/forget-declined'
import { fillKeys } from './usage/fill-keys'

export type WorkersDeps = ReplayDeps & {
  sql: Sql
  log: Log
  /** Without the broker, requests that are published again would only wait in the outbox. */
  brokerConnected(): boolean
  replayAfterMs: number
  replayEveryMs: number
  forgetDeclinedEveryMs: number
}

/** Of one round: after a long outage the pipeline is not to get everything that waits at once. */
const replayedMax = 200
const replayWaitMsMax = 86_400_000
/** Only a version before writes records without their keys. */
const fillKeysEveryMs = 60_000

/** Works by the clock once the tables are there; what is not done now is done in the next round, here or at another replica. */
export function startWorkers(deps: WorkersDeps): { stop(): Promise<void> } {
  const { sql, log, replayAfterMs, replayEveryMs, forgetDeclinedEveryMs } = deps

  async function replay(): Promise<void> {
    if (!deps.brokerConnected()) return
    const tasks = await replaySilent(deps, { afterMs: replayAfterMs, waitMsMax: replayWaitMsMax, rowsMax: replayedMax })
    if (tasks > 0) log.warn({ tasks }, 'tasks without an event for long: their requests are published again')
  }

  return startOnceMigrated({ sql, folder: migrationsFolder, log }, () => {
    const stopping = new AbortController()
    const working = [
      every(replayEveryMs, replay, { log, name: 'replay silent tasks' }),
      every(forgetDeclinedEveryMs, () => forgetDeclined(sql, stopping.signal), { log, name: 'forget declined tasks' }),
      every(fillKeysEveryMs, () => fillKeys(sql, stopping.signal), { log, name: 'fill keys of usage records' }),
    ]
    return {
      async stop() {
        stopping.abort()
        await Promise.all(working.map(each => each.stop()))
      },
    }
  })
}
