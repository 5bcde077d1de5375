import type { Incoming } from '@filmgate/kit/bus/bus'
import type { Sql } from '@filmgate/kit/database/postgres'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import type { GenerationsEvent } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { deleteJob } from '../verification/jobs'
import { findVerified } from '../verification/verification-repository'

export type PlanDeletionsDeps = { sql: Sql; inputsKeptMs: number; wake(): void }

/** Schedules the deletion of copies: at once if no provider accepted the task, later if the task has ended. */
export async function planDeletions({ sql, inputsKeptMs, wake }: PlanDeletionsDeps, messages: Incoming<GenerationsEvent>[]): Promise<void> {
  const ended = new Map(
    messages.flatMap(({ event: { event } }) => {
      if (event.case === 'generationRefused') return [[event.value.taskId, 0] as const]
      if (event.case === 'generationCompleted' || event.case === 'generationFailed') return [[event.value.taskId, inputsKeptMs] as const]
      return []
    }),
  )
  if (ended.size === 0) return
  await sql.begin(async sql => {
    const verified = await findVerified(sql, [...ended.keys()])
    const jobs = [...ended].filter(([taskId]) => verified.has(taskId)).map(([taskId, runAfterMs]) => deleteJob(taskId, runAfterMs))
    if (jobs.length > 0) await insertJobs(sql, jobs)
  })
  wake()
}
