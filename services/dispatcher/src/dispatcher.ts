import { randomBytes } from 'node:crypto'
import type { Bus } from '@filmgate/kit/bus'
import { startJobWorker } from '@filmgate/kit/jobs'
import type { Job } from '@filmgate/kit/jobs-repository'
import type { Log } from '@filmgate/kit/log'
import { gauge } from '@filmgate/kit/metrics'
import { createObjectStore } from '@filmgate/kit/object-store'
import type { Outbox } from '@filmgate/kit/outbox'
import { planJobs } from '@filmgate/kit/plan-jobs'
import type { Sql } from '@filmgate/kit/postgres'
import type { Part } from '@filmgate/kit/run'
import { type Controls, createControls } from './absence/controls'
import { newAttemptId } from './attempt/attempt-id'
import { measureReviews } from './attempt/attempt-repository'
import { beginAttempts } from './attempt/begin'
import { type FollowUp, startFollowUp } from './attempt/follow-up'
import { copyJob, recopyJob } from './attempt/jobs'
import { createLeaseKeeper } from './attempt/lease-keeper'
import { createSender, type Sender } from './attempt/send'
import { wakeAttempts } from './attempt/wake'
import { createWriteMove } from './attempt/write-moves'
import type { Config } from './config'
import { followLine } from './line'
import type { CopyPayload } from './output/decide-copy'
import { expire, expireJob, expireJobId } from './output/expire'
import { finish } from './output/finish'
import type { Routing } from './routing/routing'

export type DispatcherDeps = { config: Config; sql: Sql; bus: Bus; outbox: Outbox; routing: Routing; log: Log }

const day = 86_400_000
/** Above a copy's own fetch, whose end says more about what went wrong. */
const copyGraceMs = 60_000

/** Everything that works: the line's consumers, the senders, and the workers that poll, copy and clean. `parts` stop in reverse. */
export function startDispatcher({ config, sql, bus, outbox, routing, log }: DispatcherDeps) {
  const { topicPrefix, leaseMs, submitTimeoutMs } = config
  const now = () => new Date()
  const store = (bucket: string) =>
    createObjectStore({
      endpoint: config.s3Endpoint,
      region: config.s3Region,
      bucket,
      accessKeyId: config.s3AccessKeyId,
      secretAccessKey: config.s3SecretAccessKey,
    })
  const outputs = store(config.outputsBucket)
  const write = createWriteMove({ sql, outbox, topicPrefix, leaseMs, now, log })
  const leases = createLeaseKeeper({ sql, log, leaseMs })
  const inputs = store(config.inputsBucket)
  const sender = createSender({ ...config, inputs, routing, leases, write, now, newAttemptId, log })
  const newOutputKey = () => `${randomBytes(20).toString('hex')}.mp4`
  const controls = createControls({ ...config, sql, connectors: routing.connectors, now, log })
  const workers = startWorkers({ ...config, controls, sql, inputs, outputs, routing, write, sender, now, newAttemptId, newOutputKey, log })
  gauge('reviews_open', 'Attempts held for review', async () => (await measureReviews(sql)).count)
  gauge('review_oldest_seconds', 'Age of the oldest attempt held for review', async () => (await measureReviews(sql)).oldestSeconds)
  const { outputBaseUrl } = config
  const beginDeps = { sql, outbox, topicPrefix, outputBaseUrl, routing, sender, now, newAttemptId, leaseMs, submitTimeoutMs }
  const line = followLine({
    bus,
    topicPrefix,
    begin: orders => beginAttempts(beginDeps, orders),
    wake: events => wakeAttempts({ sql, wake: workers.attempts.wake }, events),
  })
  const parts: Part[] = [
    { name: 'leases', stop: leases.stop },
    { name: 'submits', stop: sender.stop },
    ...workers.parts,
    { name: 'line', stop: line.stop },
  ]
  return { parts, wake: workers.attempts.wake, joined: line.joined, now, controls }
}

type WorkerDeps = Config &
  Pick<DispatcherDeps, 'sql' | 'routing' | 'log'> & {
    inputs: ReturnType<typeof createObjectStore>
    outputs: ReturnType<typeof createObjectStore>
    write: ReturnType<typeof createWriteMove>
    sender: Sender
    controls: Controls
    now: () => Date
    newAttemptId: () => string
    newOutputKey: () => string
  }

function startWorkers(deps: WorkerDeps): { attempts: FollowUp; parts: Part[] } {
  const { sql, log, leaseMs, claimEveryMs: pollEveryMs } = deps
  const common = { sql, log, leaseMs, pollEveryMs }
  const attempts = startFollowUp(deps)
  const copyDeps = {
    ...deps,
    publicRead: deps.outputsPublicRead,
    copyTimeoutMs: deps.outputTimeoutMs + copyGraceMs,
    limits: { bodyBytesMax: deps.outputBytesMax, totalTimeoutMs: deps.outputTimeoutMs },
  }
  const run = (job: Job<CopyPayload>, signal: AbortSignal) => finish(copyDeps, job, signal)
  const copies = startJobWorker({ ...common, kind: copyJob, concurrency: deps.copiesMax, run })
  const recopies = startJobWorker({ ...common, kind: recopyJob, concurrency: deps.recopiesMax, run })
  const expireDeps = { ...deps, attemptRetentionMs: deps.attemptRetentionDays * day }
  const expiring = startJobWorker({
    ...common,
    kind: expireJob,
    concurrency: 1,
    // Rare work needs no quick eye.
    pollEveryMs: Math.min(60_000, deps.expireEveryMs),
    run: (job, signal) => expire(expireDeps, job, signal),
  })
  const planned = planJobs({ sql, log, jobs: [{ kind: expireJob, id: expireJobId }], planned: expiring.wake })
  return {
    attempts,
    parts: [
      { name: 'expiry', stop: () => Promise.all([planned.stop(), expiring.stop()]) },
      { name: 'copies', stop: () => Promise.all([copies.stop(), recopies.stop()]) },
      { name: 'polls', stop: attempts.stop },
    ],
  }
}
