import type { Incoming } from '@filmgate/kit/bus/bus'
import type { Sql } from '@filmgate/kit/database/postgres'
import { insertJobs, type NewJob } from '@filmgate/kit/jobs/job-repository'
import type { GenerationCompleted, GenerationsEvent } from '@filmgate/proto/gen/filmgate/v1/generations_pb'

export type PlanPostersDeps = { sql: Sql; postersMax: number; wake(): void }

export const posterKind = 'poster'

/** URLs signed by the dispatcher; `bytes` of the video; `untilMs` since 1970. */
export type PosterPayload = { videoUrl: string; uploadUrl: string; uploadHeaders: Record<string, string>; bytes: number; untilMs: number }

/** Schedules a poster for each completed video that requests one, once per task. */
export async function planPosters({ sql, postersMax, wake }: PlanPostersDeps, messages: Incoming<GenerationsEvent>[]): Promise<void> {
  if (postersMax === 0) return
  const jobs = messages.flatMap(({ event: { event } }) => (event.case === 'generationCompleted' ? (posterJob(event.value) ?? []) : []))
  // A statement can insert a job only once.
  const planned = [...new Map(jobs.map(job => [job.id, job])).values()]
  if (planned.length === 0) return
  await insertJobs(sql, planned)
  wake()
}

function posterJob({ taskId, accountId, bytes, poster }: GenerationCompleted): NewJob | undefined {
  if (!poster?.until) return undefined
  const { videoUrl, uploadUrl, uploadHeaders, until } = poster
  const payload: PosterPayload = { videoUrl, uploadUrl, uploadHeaders, bytes: Number(bytes), untilMs: Number(until.seconds) * 1_000 }
  return { kind: posterKind, id: taskId, fairnessKey: accountId, payload }
}
