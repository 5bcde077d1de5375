import type { Sql } from '@filmgate/kit/database/postgres'
import { type Job, type NewJob, rescheduleHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { ObjectStore } from '@filmgate/kit/object-store'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { inputsPrefix, taskIdOf } from '../copies/object-keys'
import { deleteExpiredVerdicts } from '../verdicts/verdict-repository'
import { deleteDecisions } from '../verification/decision-repository'
import { deleteExpiredVerifications, findHeldKeys } from '../verification/verification-repository'

export const sweepKind = 'sweep'
/** One job for all replicas. */
export const sweepJob: NewJob = { kind: sweepKind, id: 'inputs' }

export type SweepDeps = { sql: Sql; store: ObjectStore; log: Log; now(): Date; orphanAgeMs: number; sweepEveryMs: number }

/** Long enough for several automatic replays of a decision (docs/decisions/0117). */
const decisionsKeptDays = 3
const rowsMax = 5_000
/** Longer than any topic keeps its events. */
const rowsKeptDays = 30

const orphans = counter('probe_orphans_removed', 'Orphaned copies removed')

/** Removes objects that a crash left behind. Younger objects may belong to a run that has not recorded them yet. */
export async function sweep({ sql, store, log, now, orphanAgeMs, sweepEveryMs }: SweepDeps, job: Job): Promise<void> {
  const before = new Date(now().getTime() - orphanAgeMs)
  let removed = await store.abandonUploads(inputsPrefix, before)
  for (let page = await store.list(inputsPrefix); page.length > 0; page = await store.list(inputsPrefix, page.at(-1)?.key)) {
    const old = page.filter(({ modifiedAt }) => modifiedAt < before).map(({ key }) => ({ key, taskId: taskIdOf(key) }))
    const held = await findHeldKeys(sql, old)
    const left = old.filter(({ key }) => !held.has(key)).map(({ key }) => key)
    await store.remove(left)
    removed += left.length
  }
  if (removed > 0) log.warn({ removed }, 'orphaned copies removed')
  orphans.add(removed)
  await deleteExpiredVerifications(sql, rowsKeptDays)
  while ((await deleteDecisions(sql, decisionsKeptDays, rowsMax)) === rowsMax);
  while ((await deleteExpiredVerdicts(sql, rowsMax)) === rowsMax);
  await rescheduleHeldJobs(sql, [{ job, runAfterMs: sweepEveryMs, resetTries: true }])
}
