import type { Sql } from '@filmgate/kit/database/postgres'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import { leaseOwner } from '@filmgate/kit/jobs/job-worker'
import type { Attempt } from '../attempt/attempt'
import { attemptColumns } from '../attempt/attempt-repository'
import { attemptJob, cancelJob } from '../attempt/jobs'

/** Its sender uploads inputs still, or waits for our store after a refusal: nothing of it is at a provider. */
const unsent = ['uploading', 'answered']

export async function findLatestAttempt(sql: Sql, taskId: string): Promise<(Attempt & { unsent: boolean }) | undefined> {
  const [attempt] = await sql<(Attempt & { unsent: boolean })[]>`
    select ${attemptColumns(sql)},
           exists (select from job where kind = ${attemptJob} and job.id = attempt.id and payload ?| ${unsent}::text[]) as unsent
    from attempt where task_id = ${taskId} order by number desc limit 1`
  return attempt
}

/** Takes the job of an attempt over from its sender, unless the sender has begun its submit by now; the sender writes nothing more then. */
export async function takeOverUnsent(sql: Sql, attemptId: string, leaseMs: number): Promise<Job | undefined> {
  const [job] = await sql<Job[]>`
    update job set owner = ${leaseOwner}, lease_until = now() + ${leaseMs} * interval '1 millisecond', epoch = epoch + 1
    where kind = ${attemptJob} and id = ${attemptId} and payload ?| ${unsent}::text[]
    returning kind, id, fairness_key as "fairnessKey", payload, epoch, tries`
  return job
}

/** Written before the provider is asked, so that a later `cancelled` of the provider counts as the answer to this request. */
export const markCancelAsked = (sql: Sql, attemptId: string) =>
  sql`update attempt set cancel_asked_at = coalesce(cancel_asked_at, now()) where id = ${attemptId}`

/** Whether its provider was asked to cancel it. */
export async function isCancelAsked(sql: Sql, attemptId: string): Promise<boolean> {
  const [attempt] = await sql`select from attempt where id = ${attemptId} and cancel_asked_at is not null`
  return attempt !== undefined
}

/** Whether a cancel of its task waits to be decided, or the attempt's provider was asked. */
export async function isCancelRequested(sql: Sql, { id, taskId }: Pick<Attempt, 'id' | 'taskId'>): Promise<boolean> {
  const [job] = await sql`select from job where kind = ${cancelJob} and id = ${taskId}`
  return job !== undefined || isCancelAsked(sql, id)
}
