import { withDeadline } from '@filmgate/kit/deadline'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { posterKeyOf } from './poster'

export type FindPostersDeps = { outputs: Pick<ObjectStore, 'head'>; outputBaseUrl: string }

/** `not_known`: the store didn't say in time. */
export type Poster = { poster: 'kept' | 'none' | 'not_known'; url: string | null }

/** An operator's view waits no longer for it. */
const lookMsMax = 3_000

/** Whether there are posters of these outputs, and where; what the store says at this moment, because nobody else would know. */
export async function findPosters({ outputs, outputBaseUrl }: FindPostersDeps, outputKeys: string[]): Promise<Map<string, Poster>> {
  const found = outputKeys.map(async (outputKey): Promise<[string, Poster]> => {
    const key = posterKeyOf(outputKey)
    const isKept = await withDeadline(outputs.head(key), lookMsMax, 'the store').then(Boolean, () => undefined)
    if (isKept === undefined) return [outputKey, { poster: 'not_known', url: null }]
    return [outputKey, isKept ? { poster: 'kept', url: `${outputBaseUrl}/${key}` } : { poster: 'none', url: null }]
  })
  return new Map(await Promise.all(found))
}
