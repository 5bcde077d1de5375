import { join } from 'node:path'
import type { Sql } from '@filmgate/kit/database/postgres'
import { backoffMs } from '@filmgate/kit/deadline'
import { deleteHeldJobs, type Job, rescheduleHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import type { Tools } from '../child/tools'
import { isRejection } from '../errors'
import type { WorkFolder } from '../fetching/work-folder'
import { drawPoster } from './draw-poster'
import type { PosterPayload } from './plan-posters'
import { readVideo, uploadPoster, VideoDeleted } from './stored-files'

export type MakePosterDeps = {
  sql: Sql
  log: Log
  workFolder: WorkFolder
  tools: Tools
  now(): Date
  storeOrigin: string
  postersMax: number
}

/** A poster is not worth more tries. */
const triesMax = 8
const [retryFirstMs, retryMsMax] = [10_000, 3_600_000]
/** Limit of one try: fetch some megabytes, run up to three children, store some kilobytes. */
const tryMsMax = 150_000

const results = ['made', 'no_picture', 'video_gone', 'given_up', 'failed_try'] as const
const posters = counter('probe_posters', 'Posters of outputs, by result; failed_try is retried', { result: results })

/**
 * Draws and stores the poster of a finished video. A video without a usable frame gets none. Failures are retried
 * until the signed URLs expire.
 */
export async function makePoster(deps: MakePosterDeps, job: Job<PosterPayload>, signal: AbortSignal): Promise<void> {
  const leftMs = job.payload.untilMs - deps.now().getTime()
  const end = (result: (typeof results)[number]) => {
    posters.add(1, { result })
    return deleteHeldJobs(deps.sql, [job])
  }
  if (deps.postersMax === 0 || leftMs <= 0 || job.tries > triesMax) return void (await end('given_up'))
  try {
    await make(deps, job, AbortSignal.any([signal, AbortSignal.timeout(Math.min(leftMs, tryMsMax))]))
    await end('made')
  } catch (error) {
    if (signal.aborted) return void (await rescheduleHeldJobs(deps.sql, [{ job, runAfterMs: 0 }]))
    // Only the message: the error may contain the signed URL.
    deps.log.info({ why: error instanceof Error ? error.message : String(error), taskId: job.id, tries: job.tries }, 'poster not made')
    if (isRejection(error)) return void (await end('no_picture'))
    if (error instanceof VideoDeleted) return void (await end('video_gone'))
    posters.add(1, { result: 'failed_try' })
    await rescheduleHeldJobs(deps.sql, [{ job, runAfterMs: backoffMs(job.tries, retryFirstMs, retryMsMax) }])
  }
}

async function make({ workFolder, tools, storeOrigin }: MakePosterDeps, job: Job<PosterPayload>, signal: AbortSignal): Promise<void> {
  const { videoUrl, bytes, uploadUrl, uploadHeaders } = job.payload
  // Not counted as a download, or the download gate would wait for it.
  const folder = await workFolder.open(`poster-${job.id}-${job.epoch}`)
  try {
    const path = join(folder.path, 'video')
    await readVideo(storeOrigin, { url: videoUrl, bytes, path, signal })
    const jpeg = await drawPoster(tools, { path, folder: folder.path, signal })
    await uploadPoster(storeOrigin, { url: uploadUrl, headers: uploadHeaders, jpeg, signal })
  } finally {
    await folder.remove()
  }
}
