import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ObjectStore } from '@filmgate/kit/object-store'
import type { FetchLimits, FetchPolicy } from '@filmgate/kit/safe-fetch/fetch-policy'
import { type SafeFetched, safeFetch } from '@filmgate/kit/safe-fetch/safe-fetch'
import { createMp4Check, OutputFault } from './check-mp4'
import { NotVideo, SourceFault } from './copy-fault'

export type CopyDeps = { outputs: ObjectStore; policy: FetchPolicy; limits: Partial<FetchLimits>; publicRead: boolean }

export type Copied = { bytes: number; sha256: string }

/**
 * Streams a maker's output into managed storage. The object comes to be only when every byte arrived and they are a whole MP4: a fault
 * ends the upload before its last part. Throws SourceFault, NotVideo, or what our own storage throws.
 */
export async function copyOutput(
  { outputs, policy, limits, publicRead }: CopyDeps,
  input: { url: string; key: string; signal: AbortSignal },
): Promise<Copied> {
  const { url, key, signal } = input
  const source = await safeFetch(policy, { url, limits, signal }).catch(error => {
    throw signal.aborted ? error : new SourceFault(error)
  })
  const copied = { bytes: 0, sha256: '' }
  let fault: unknown
  async function* checked(): AsyncGenerator<Uint8Array, void> {
    try {
      yield* checkedChunks(source, copied)
    } catch (error) {
      fault = error instanceof NotVideo ? error : new SourceFault(error)
      throw error
    }
  }
  try {
    await outputs.put(key, Readable.from(checked(), { objectMode: false }), { contentType: 'video/mp4', publicRead, signal })
  } catch (error) {
    throw fault !== undefined && !signal.aborted ? fault : error
  } finally {
    await source.body.return()
  }
  return copied
}

/** What is seen to be no video is read on to its end without being passed on: only the whole file's hash can be compared with another reading's. */
async function* checkedChunks({ body, endMarked }: SafeFetched, copied: Copied): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256')
  const mp4 = createMp4Check()
  let refused: string | undefined
  const check = (step: () => void) => {
    try {
      step()
    } catch (error) {
      if (!(error instanceof OutputFault)) throw error
      refused = error.message
    }
  }
  for await (const chunk of body) {
    hash.update(chunk)
    copied.bytes += chunk.length
    if (refused === undefined) check(() => mp4.take(chunk))
    if (refused === undefined) yield chunk
  }
  if (refused === undefined) check(mp4.end)
  copied.sha256 = hash.digest('hex')
  if (refused === undefined) return
  // Where only the closed connection ends the body, it may as well have been cut.
  if (!endMarked) throw new Error(`${refused}, and nothing marked its end`)
  throw new NotVideo(refused, copied.sha256)
}
