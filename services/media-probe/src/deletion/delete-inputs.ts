import type { Sql } from '@filmgate/kit/database/postgres'
import { deleteHeldJobs, type Job, lockHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { removeInputs } from '../copies/remove-inputs'
import { transitionVerification } from '../verification/verification-repository'

export type DeleteDeps = { sql: Sql; store: ObjectStore; now(): Date }

/** Removes a task's copies, then marks the task as deleted. Idempotent. */
export async function deleteInputs({ sql, store, now }: DeleteDeps, job: Job): Promise<void> {
  await removeInputs(store, job.id, now())
  await sql.begin(async sql => {
    if (!(await lockHeldJobs(sql, [job])).has(job.id)) return
    await transitionVerification(sql, job.id, 'deleted')
    await deleteHeldJobs(sql, [job])
  })
}
