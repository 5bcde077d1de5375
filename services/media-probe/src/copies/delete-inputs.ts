import { deleteHeldJobs, type Job, lockHeldJobs, type NewJob } from '@filmgate/kit/jobs-repository'
import type { ObjectStore } from '@filmgate/kit/object-store'
import type { Sql } from '@filmgate/kit/postgres'
import { moveVerification } from '../verification/verification-repository'
import { removeInputs } from './remove-inputs'

export const deleteKind = 'delete-inputs'

export const deleteJob = (taskId: string, runAfterMs: number): NewJob => ({ kind: deleteKind, id: taskId, runAfterMs })

export type DeleteDeps = { sql: Sql; store: ObjectStore; now(): Date }

/** Removes a task's copies, then writes down that it has none. Done twice, it does the same. */
export async function deleteInputs({ sql, store, now }: DeleteDeps, job: Job): Promise<void> {
  await removeInputs(store, job.id, now())
  await sql.begin(async sql => {
    if (!(await lockHeldJobs(sql, [job])).has(job.id)) return
    await moveVerification(sql, job.id, 'deleted')
    await deleteHeldJobs(sql, [job])
  })
}
