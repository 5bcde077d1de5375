import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { createObjectStore, type ObjectStore, type ObjectStoreOptions, objectKeyOf } from '@filmgate/kit/object-store'
import { readAlone } from '../database/batched-read'
import type { Reason } from '../errors'
import { shownStatus } from '../tasks/task'
import { findVideo, markDeleted } from './video-repository'

/** The bucket of outputs, and what their URLs begin with. */
export type Outputs = { store: Pick<ObjectStore, 'remove'>; baseUrl: string }

/** Undefined where either is not configured: then no video is deleted before its time. */
export const connectOutputs = (config: {
  outputs: ObjectStoreOptions | undefined
  outputBaseUrl: string | undefined
}): Outputs | undefined =>
  config.outputs && config.outputBaseUrl !== undefined
    ? { store: createObjectStore(config.outputs), baseUrl: config.outputBaseUrl }
    : undefined

export type DeleteVideoDeps = { sql: Sql; outputs?: Outputs | undefined }

/**
 * Deletes an ended task's video and poster, then the task for all who read it: then it is as unknown as a foreign one. The files go first, so
 * that a DELETE whose answer was lost does the rest when it is sent again.
 */
export async function deleteVideo(deps: DeleteVideoDeps, { id, accountId, leftMs }: { id: string; accountId: string; leftMs: number }) {
  const task = await readAlone(findVideo(deps.sql, { id, accountId }), leftMs)
  if (!task) throw new Failure<Reason>('task_not_found')
  if (shownStatus(task) === 'processing') throw new Failure<Reason>('video_not_ended')
  await removeFiles(deps.outputs, [task.videoUrl, task.posterUrl])
  await readAlone(markDeleted(deps.sql, { id, accountId }), leftMs)
}

async function removeFiles(outputs: Outputs | undefined, urls: (string | null)[]): Promise<void> {
  const files = urls.filter(url => url !== null)
  if (files.length === 0) return
  const keys = files.flatMap(url => objectKeyOf(outputs?.baseUrl, url) ?? [])
  if (!outputs || keys.length < files.length)
    throw new Failure<Reason>('service_unavailable', { internal: 'the bucket of outputs is not configured, or is another one' })
  await outputs.store.remove(keys)
}
