import type { Incoming } from '@filmgate/kit/bus'
import { insertJobs } from '@filmgate/kit/jobs-repository'
import type { Sql } from '@filmgate/kit/postgres'
import type { GenerationsEvent } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { deleteJob } from '../copies/delete-inputs'
import { findVerified } from './verification-repository'

export type ReleaseDeps = { sql: Sql; inputsKeptMs: number; wake(): void }

/** Plans the deletion of copies that are not needed any more: at once where no maker took the task, later where it ended. */
export async function release({ sql, inputsKeptMs, wake }: ReleaseDeps, messages: Incoming<GenerationsEvent>[]): Promise<void> {
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
