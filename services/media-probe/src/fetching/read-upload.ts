import { Failure } from '@filmgate/kit/failure'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { uploadAt } from '@filmgate/kit/upload-url'
import { OwnFault, reject } from '../errors'

/** The bucket of uploads. */
export type Uploads = Pick<ObjectStore, 'presignGet'>

export type ReadUploadDeps = { uploads: Uploads | undefined; totalTimeoutMs: number }
export type ReadUploadInput = { url: string; accountId: string; bodyBytesMax: number; signal: AbortSignal }

const presignedSeconds = 300
const foreignUpload = { measured: 'no upload of this account', limit: 'an upload of this account' }

/**
 * Reads an upload of the order's own account; the gateway's check of the URL alone is not trusted here.
 * Without a bucket it is refused. Failures of the store are our own faults.
 */
export async function* readUpload(
  { uploads, totalTimeoutMs }: ReadUploadDeps,
  { url, accountId, bodyBytesMax, signal }: ReadUploadInput,
): AsyncGenerator<Uint8Array, void> {
  const upload = uploadAt(url)
  if (!uploads || upload?.accountId !== accountId) throw reject('media_forbidden_address', foreignUpload)
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(totalTimeoutMs)])
  let bytes = 0
  try {
    for await (const chunk of await bodyOf(uploads, upload.key, deadline)) {
      bytes += chunk.length
      if (bytes > bodyBytesMax)
        throw reject('media_too_large', { measured: `more than ${bodyBytesMax} bytes`, limit: `${bodyBytesMax} bytes` })
      yield chunk
    }
  } catch (error) {
    if (error instanceof Failure) throw error
    signal.throwIfAborted()
    throw new OwnFault('store', error)
  }
}

async function bodyOf(uploads: Uploads, key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetch(await uploads.presignGet(key, presignedSeconds), { redirect: 'manual', signal })
  if (response.status === 200 && response.body) return response.body
  // Releases the connection.
  await response.body?.cancel()
  if (response.status === 404)
    throw reject('media_unreachable', { measured: 'no such upload, or one that was deleted', limit: 'a file that is there' })
  throw new Error(`the store answered ${response.status} to an upload`)
}
