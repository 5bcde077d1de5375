import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ObjectStore } from '@filmgate/kit/object-store'
import type { FetchLimits, FetchPolicy } from '@filmgate/kit/safe-fetch/fetch-policy'
import { safeFetch } from '@filmgate/kit/safe-fetch/safe-fetch'
import { createMp4Check } from './check-mp4'

export type CopyDeps = { outputs: ObjectStore; policy: FetchPolicy; limits: Partial<FetchLimits>; publicRead: boolean }

export type Copied = { bytes: number; sha256: string }

/** The maker's output could not be had, or was none: worth asking for again. Anything else that is thrown is our own trouble. */
export class SourceFault extends Error {
  override name = 'SourceFault'
  constructor(cause: unknown) {
    super(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause), { cause })
  }
}

/**
 * Streams a maker's output into managed storage. The object comes to be only when every byte arrived and they are a whole MP4: a fault
 * ends the upload before its last part.
 */
export async function copyOutput(
  { outputs, policy, limits, publicRead }: CopyDeps,
  input: { url: string; key: string; signal: AbortSignal },
): Promise<Copied> {
  const { url, key, signal } = input
  const source = await safeFetch(policy, { url, limits, signal }).catch(asFault(signal))
  const copied = { bytes: 0, sha256: '' }
  let fault: unknown
  async function* checked(): AsyncGenerator<Uint8Array, void> {
    const hash = createHash('sha256')
    const mp4 = createMp4Check()
    try {
      for await (const chunk of source.body) {
        mp4.take(chunk)
        hash.update(chunk)
        copied.bytes += chunk.length
        yield chunk
      }
      mp4.end()
      copied.sha256 = hash.digest('hex')
    } catch (error) {
      fault = error
      throw error
    }
  }
  try {
    await outputs.put(key, Readable.from(checked(), { objectMode: false }), { contentType: 'video/mp4', publicRead, signal })
  } catch (error) {
    if (fault !== undefined && !signal.aborted) throw new SourceFault(fault)
    throw error
  } finally {
    await source.body.return()
  }
  return copied
}

const asFault =
  (signal: AbortSignal) =>
  (error: unknown): never => {
    if (signal.aborted) throw error
    throw new SourceFault(error)
  }
