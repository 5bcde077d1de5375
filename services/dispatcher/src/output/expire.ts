import type { Sql } from '@filmgate/kit/database/postgres'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import { rescheduleHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { attemptIdAt } from '../attempt/attempt-id'
import { deleteEndedAttempts, forgetOutputs, lockExpiredOutputs } from './output-repository'
import { posterKeyOf } from './poster'

export type ExpireDeps = { sql: Sql; outputs: ObjectStore; now: () => Date; expireEveryMs: number; attemptRetentionMs: number }

/** The one job that cleans; its id is always the same, so that several replicas share one job. */
export const expireJob = 'expire'
export const expireJobId = 'outputs'
/** Two objects each, and a store removes 1,000 at once. */
const rowsMax = 500

const expired = counter('outputs_expired', 'Outputs deleted at the end of their retention')

/** Deletes outputs and their posters at the end of their retention, then attempts at the end of theirs. An object is deleted before its row is changed. */
export async function expire(deps: ExpireDeps, job: Job, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await expireSome(deps)) === rowsMax);
  const idBefore = attemptIdAt(deps.now().getTime() - deps.attemptRetentionMs)
  while (!signal.aborted && (await deleteEndedAttempts(deps.sql, idBefore, rowsMax)) === rowsMax);
  await rescheduleHeldJobs(deps.sql, [{ job, runAfterMs: deps.expireEveryMs, resetTries: true }])
}

const expireSome = ({ sql, outputs }: ExpireDeps): Promise<number> =>
  sql.begin(async sql => {
    const due = await lockExpiredOutputs(sql, rowsMax)
    if (due.length === 0) return 0
    await outputs.remove(due.flatMap(({ key }) => [key, posterKeyOf(key)]))
    await forgetOutputs(
      sql,
      due.map(({ attemptId }) => attemptId),
    )
    expired.add(due.length)
    return due.length
  })
