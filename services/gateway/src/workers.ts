import { startOnceMigrated } from '@filmgate/kit/database/start-once-migrated'
import { every } from '@filmgate/kit/process/every'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import { endClosings } from './accounts/closing-repository'
import { deleteOldCrossings } from './budgets/crossing-repository'
import { type CancelDueDeps, cancelDue } from './cancel/cancel-due'
import { migrationsFolder } from './database/migrations-folder'
import { findOldestNoticeSeconds } from './notices/notice-repository'
import { type NoticeDeps, startNoticePublisher } from './notices/publish-notices'
import { deleteOldRequests } from './openai/request/request-repository'
import { type ReplayDeps, replaySilent } from './recovery/replay'
import { forgetRequests } from './request-log/forget-requests'
import type { RequestLog } from './request-log/request-log'
import { forgetDeclined } from './tasks/forgetting/forget-declined'
import { uploadSweep } from './uploads/delete-uploads'
import type { UploadBucket } from './uploads/open-upload'
import { fillKeys } from './usage/fill-keys'

export type WorkersDeps = ReplayDeps &
  CancelDueDeps &
  NoticeDeps & {
    requestLog: Pick<RequestLog, 'flush'>
    replayAfterMs: number
    replayEveryMs: number
    forgetDeclinedEveryMs: number
    /** While databases are brought back no service is asked to go on with a task, or to end one. */
    recovering: boolean
    uploads: UploadBucket | undefined
    now(): Date
  }

export type Workers = {
  /** Called after the commit of notices. */
  wakeNotices(): void
  stop(): Promise<void>
}

/** Of one round: after a long outage the pipeline is not to get everything that waits at once. */
const replayedMax = 200
const replayWaitMsMax = 86_400_000
const cancelEveryMs = 1_000
/** Only a version before writes records without their keys. */
const fillKeysEveryMs = 60_000
const uploadsEveryMs = 600_000
const forgetRequestsEveryMs = 60_000
const writeRequestsEveryMs = 1_000
const forgetLoggedEveryMs = 60_000
const forgetCrossingsEveryMs = 3_600_000
const crossingsKeptDays = 62
const endClosingsEveryMs = 60_000
/** A POST that a key began before its account was closed has its task by then, however slowly its form came. */
const closingMsMin = 180_000

/** Works by the clock once the tables are there; what is not done now is done in the next round, here or at another replica. */
export function startWorkers(deps: WorkersDeps): Workers {
  const { sql, log, now, uploads, requestLog, replayAfterMs, replayEveryMs, forgetDeclinedEveryMs } = deps

  async function replay(): Promise<void> {
    // Without the broker they would only wait in the outbox.
    if (!deps.bus.connected()) return
    const tasks = await replaySilent(deps, { afterMs: replayAfterMs, waitMsMax: replayWaitMsMax, rowsMax: replayedMax })
    if (tasks > 0) log.warn({ tasks }, 'tasks without an event for long: their requests are published again')
  }

  const advancing = (signal: AbortSignal) => [
    every(replayEveryMs, replay, { log, name: 'replay silent tasks' }),
    every(cancelEveryMs, () => cancelDue(deps, signal), { log, name: 'cancel by clients’ deadlines' }),
  ]

  gauge('notices_oldest_seconds', 'Age of the oldest notice not yet known to be on the broker', () => findOldestNoticeSeconds(sql))
  const working = startOnceMigrated({ sql, folder: migrationsFolder, log }, () => {
    const notices = startNoticePublisher(deps)
    const stopping = new AbortController()
    const periodic = [
      every(forgetRequestsEveryMs, () => deleteOldRequests(sql), { log, name: 'forget OpenAI requests' }),
      every(writeRequestsEveryMs, requestLog.flush, { log, name: 'write the log of requests' }),
      every(forgetLoggedEveryMs, () => forgetRequests(sql, stopping.signal), { log, name: 'forget old requests' }),
      every(forgetCrossingsEveryMs, () => deleteOldCrossings(sql, crossingsKeptDays), { log, name: 'forget budgets’ thresholds' }),
      every(endClosingsEveryMs, () => endClosings(sql, closingMsMin), { log, name: 'end closed accounts' }),
      every(forgetDeclinedEveryMs, () => forgetDeclined(sql, stopping.signal), { log, name: 'forget declined tasks' }),
      every(fillKeysEveryMs, () => fillKeys(sql, stopping.signal), { log, name: 'fill keys of usage records' }),
      ...(deps.recovering ? [] : advancing(stopping.signal)),
      ...(uploads ? [every(uploadsEveryMs, uploadSweep({ sql, store: uploads.own, now }), { log, name: 'delete old uploads' })] : []),
    ]
    return {
      wakeNotices: notices.wake,
      async stop() {
        stopping.abort()
        await Promise.all([notices, ...periodic].map(each => each.stop()))
        await requestLog.flush()
      },
    }
  })
  return { wakeNotices: () => working.started()?.wakeNotices(), stop: working.stop }
}
