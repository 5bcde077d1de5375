import { createHash } from 'node:crypto'
import { invariant } from '@filmgate/kit/failure'
import type { ObjectStore } from '@filmgate/kit/object-store'
import type { FetchLimits, FetchPolicy } from '@filmgate/kit/safe-fetch/fetch-policy'
import { type SafeFetched, safeFetch } from '@filmgate/kit/safe-fetch/safe-fetch'
import { createMp4Check, OutputFault } from '../delivery/check-mp4'
import { type Mp4Reader, UnreadMp4 } from '../delivery/mp4-reader'
import type { Measured } from '../delivery/read-mp4'
import { NotVideo, SourceFault } from './copy-fault'

export type CopyDeps = {
  outputs: ObjectStore
  policy: FetchPolicy
  limits: Partial<FetchLimits>
  publicRead: boolean
  readMp4: Mp4Reader['read']
}

export type Copied = { bytes: number; sha256: string; measured: Measured }

/**
 * Streams a provider's output into managed storage. The object comes to be only when every byte arrived and they are a whole MP4
 * with a picture track: a fault aborts the upload before it is complete. Throws SourceFault, NotVideo, UnreadMp4, or what our own storage throws.
 */
export async function copyOutput(
  { outputs, policy, limits, publicRead, readMp4 }: CopyDeps,
  input: { url: string; key: string; fileName: string; signal: AbortSignal },
): Promise<Copied> {
  const { url, key, fileName, signal } = input
  const source = await safeFetch(policy, { url, limits, signal }).catch(error => {
    throw signal.aborted ? error : new SourceFault(error)
  })
  const reading = openReading(source, readMp4)
  try {
    // Browsers play it, and name it so where it is saved.
    const disposition = `inline; filename="${fileName}"`
    await outputs.putStream(key, reading.checked(), { contentType: 'video/mp4', disposition, publicRead, signal })
  } catch (error) {
    const fault = await reading.faultOf()
    throw fault !== undefined && !signal.aborted ? fault : error
  } finally {
    await source.body.return()
  }
  return reading.copied()
}

/**
 * The runtime lets go of a chunk's memory when it next collects garbage, by which time a film has gone by; it is given back at once where the
 * chunk is all that there is of it.
 */
function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

function openReading({ body, endMarked }: SafeFetched, readMp4: Mp4Reader['read']) {
  const hash = createHash('sha256')
  const mp4 = createMp4Check()
  let bytes = 0
  let measured: Measured | undefined
  let fault: SourceFault | OutputFault | UnreadMp4 | undefined

  /** Called by hand: leaving a `for await` loop would close the connection, and the rest may still be read. */
  async function next(): Promise<Uint8Array | undefined> {
    const { value } = await body.next()
    if (value) hash.update(value)
    bytes += value?.length ?? 0
    return value ?? undefined
  }

  return {
    /** The bytes as they come, up to the first that shows that they are no video. */
    async *checked(): AsyncGenerator<Uint8Array, void> {
      try {
        for (let chunk = await next(); chunk; chunk = await next()) {
          mp4.take(chunk)
          yield chunk
          releaseMemory(chunk)
        }
      } catch (error) {
        fault = error instanceof OutputFault ? error : new SourceFault(error)
        throw error
      }
      try {
        measured = await readMp4(mp4.end())
      } catch (error) {
        if (error instanceof OutputFault || error instanceof UnreadMp4) fault = error
        throw error
      }
    },
    /**
     * What it was, undefined where our storage failed. What is no video is read on to its end without being passed on, which no upload
     * should wait for: only the whole file's hash can be compared with another reading's.
     */
    async faultOf(): Promise<SourceFault | NotVideo | UnreadMp4 | undefined> {
      if (!(fault instanceof OutputFault)) return fault
      try {
        while (await next()) {}
      } catch (error) {
        return new SourceFault(error)
      }
      // Where only the closed connection ends the body, it may have been cut.
      if (!endMarked) return new SourceFault(new Error(`${fault.message}, and nothing marked its end`))
      return new NotVideo(fault.message, hash.digest('hex'))
    },
    copied(): Copied {
      invariant(measured, 'an upload ends only after its source')
      return { bytes, sha256: hash.digest('hex'), measured }
    },
  }
}
