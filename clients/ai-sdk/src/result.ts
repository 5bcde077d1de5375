import { APICallError, type Experimental_VideoModelV4VideoData, type SharedV4ProviderMetadata } from '@ai-sdk/provider'
import { validateDownloadUrl } from '@ai-sdk/provider-utils'
import type { VideoTask } from '@filmgate/client'
import type { Api } from './api/open-api.ts'
import type { FilmgateVideoMetadata } from './video-options.ts'

/** Of a task that has ended. The AI SDK joins the `videos` of all calls, and of all answers to one, to one list. */
export function metadataOf(task: VideoTask): SharedV4ProviderMetadata {
  const video: FilmgateVideoMetadata['videos'][number] = {
    taskId: task.id,
    creditsUsed: task.credits_used,
    creditsRefunded: task.credits_refunded,
    billingStatus: task.billing_status ?? null,
    url: task.output?.video_url ?? null,
  }
  return { filmgate: { videos: [video] } }
}

/** The video's URL. The AI SDK fetches none of a private address, so a private installation's video is fetched here. */
export async function videoData(
  api: Pick<Api, 'baseUrl' | 'fetch'>,
  url: string,
  signal: AbortSignal | undefined,
): Promise<Experimental_VideoModelV4VideoData> {
  const mediaType = 'video/mp4'
  if (!isPrivate(url) || !isPrivate(api.baseUrl)) return { type: 'url', url, mediaType }
  try {
    const answer = await api.fetch(url, { signal })
    if (!answer.ok) throw new Error(`The video could not be fetched: the answer was ${answer.status}.`)
    return { type: 'binary', data: new Uint8Array(await answer.arrayBuffer()), mediaType }
  } catch (cause) {
    if (signal?.aborted) throw cause
    // The retry finds the same task, and fetches again.
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new APICallError({ message, cause, url, requestBodyValues: undefined, isRetryable: true })
  }
}

function isPrivate(url: string): boolean {
  try {
    validateDownloadUrl(url)
    return false
  } catch {
    return true
  }
}
