import { FilmgateError } from '../error.ts'
import { save } from '../files/save.ts'
import type { VideoTask } from '../generated.ts'
import type { Connection } from '../http/connection.ts'
import { type CallOptions, endOf, type Limit, leftMs, limitOf } from '../http/limit.ts'
import { notReached } from '../http/refusal.ts'
import { watchdog } from '../http/watchdog.ts'
import { readTask } from './wait.ts'

/** A finished video. */
export type Video = {
  task: VideoTask
  /** Whoever has it can fetch the video, without a key. It is kept for 30 days. */
  url: string
  /**
   * Writes the MP4 to a file, whole or not at all (Node, Bun, Deno). Throws `save_failed` where it can't, and after five minutes without a byte.
   * Without `timeoutMs` it goes on while bytes arrive.
   */
  save(path: string, options?: CallOptions): Promise<void>
  /** Fetches the MP4: its body is a stream. `timeoutMs` is for its head, `signal` for all of it. */
  response(options?: CallOptions): Promise<Response>
}

const headMs = 60_000

/** Of a completed task. */
export function videoOf(connection: Connection, task: VideoTask): Video {
  const url = httpUrlOf(task)
  if (!url) throw new FilmgateError({ code: 'no_video', message: `The task ${task.id} has no video.`, taskId: task.id, task })
  const context = { taskId: task.id }
  /** Where the video is now: an address may be over. */
  const renewed = async (limit: Limit) => httpUrlOf(await readTask(connection, task.id, limit)) ?? url
  return {
    task,
    url,
    async save(path, options = {}) {
      const limit = limitOf(options, Number.POSITIVE_INFINITY, context)
      await save(connection, { url: async renew => (renew ? await renewed(limit) : url) }, path, limit)
    },
    async response(options = {}) {
      const limit = limitOf(options, headMs, context)
      const first = await fetchVideo(connection, url, options.signal, limit)
      if (first.ok || first.status >= 500) return first
      await first.body?.cancel()
      return fetchVideo(connection, await renewed(limit), options.signal, limit)
    },
  }
}

/** Without the API key. */
async function fetchVideo(connection: Connection, url: string, caller: AbortSignal | undefined, limit: Limit): Promise<Response> {
  const dog = watchdog(undefined)
  dog.allow(leftMs(limit))
  try {
    // The caller's signal also ends the body, which is read later.
    const signal = caller ? AbortSignal.any([caller, dog.signal]) : dog.signal
    return await dog.race(connection.fetch(url, { signal }))
  } catch (error) {
    throw endOf(limit, error) ?? notReached(error, limit)
  } finally {
    dog.close()
  }
}

/** Other schemes read what is no video, such as a file of this machine. */
const httpUrlOf = ({ output }: VideoTask): string | undefined =>
  /^https?:\/\//.test(output?.video_url ?? '') ? output?.video_url : undefined
