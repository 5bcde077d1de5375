import { createHash } from 'node:crypto'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ObjectStore } from '@filmgate/kit/object-store'
import type { PosterRequestInit } from '../attempt/events'

export type PosterDeps = { outputs: ObjectStore; publicRead: boolean; now: () => Date }

/** Asks for the poster of an output that is kept for `leftMs` more; undefined where none can be asked for, which keeps nothing else back. */
export type AskForPoster = (outputKey: string, leftMs: number) => Promise<PosterRequestInit | undefined>

/** As long as anybody tries to draw one (docs/decisions/0638). */
const rightsMsMax = 86_400_000
const rightsMsMin = 10_000

/** Follows from the video's key, and doesn't give it away: who may see the poster may not yet see the video. */
export const posterKeyOf = (outputKey: string): string =>
  `posters/${createHash('sha256').update(`the poster of ${outputKey}`).digest('hex').slice(0, 40)}.jpg`

/** Where the poster of an output is read, once it is drawn. */
export const posterUrlOf = (outputBaseUrl: string, outputKey: string): string => `${outputBaseUrl}/${posterKeyOf(outputKey)}`

/**
 * The rights end when half of the output's time is over: what is written by them is there before the output is deleted, and is deleted with
 * it. Signing asks nobody.
 */
export const createAskForPoster =
  ({ outputs, publicRead, now }: PosterDeps): AskForPoster =>
  async (outputKey, leftMs) => {
    const rightsMs = Math.min(rightsMsMax, leftMs / 2)
    if (rightsMs < rightsMsMin) return undefined
    const seconds = Math.floor(rightsMs / 1_000)
    const until = timestampFromDate(new Date(now().getTime() + seconds * 1_000))
    const signing = Promise.all([
      outputs.presignGet(outputKey, seconds),
      outputs.presignPut(posterKeyOf(outputKey), seconds, { contentType: 'image/jpeg', publicRead }),
    ])
    return signing.then(
      ([videoUrl, upload]) => ({ videoUrl, uploadUrl: upload.url, uploadHeaders: upload.headers, until }),
      () => undefined,
    )
  }
