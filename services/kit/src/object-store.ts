import type { Readable } from 'node:stream'
import { DeleteObjectsCommand, GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'

export type ObjectStoreOptions = { endpoint: string; region: string; bucket: string; accessKeyId: string; secretAccessKey: string }

export type Stored = { key: string; bytes: number; modifiedAt: Date }

export type ObjectStore = {
  /** Uploads in parts with bounded memory; an aborted or failed upload leaves no object. */
  put(key: string, body: Readable | Uint8Array, options: { contentType: string; publicRead?: boolean; signal?: AbortSignal }): Promise<void>
  /** Undefined where there is no such object. */
  head(key: string): Promise<Stored | undefined>
  /** Up to 1,000 objects whose keys come after `after`. */
  list(prefix: string, after?: string): Promise<Stored[]>
  /** Missing keys are no error; up to 1,000 keys. */
  remove(keys: string[]): Promise<void>
  /** A URL that reads the object without credentials for `seconds`. */
  presignGet(key: string, seconds: number): Promise<string>
}

const partBytes = 5 * 1024 * 1024

/** One bucket of an S3-compatible store. */
export function createObjectStore({ endpoint, region, bucket, accessKeyId, secretAccessKey }: ObjectStoreOptions): ObjectStore {
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    // Stores other than AWS often know only the older checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
  })
  const named = (key: string) => ({ Bucket: bucket, Key: key })
  return {
    async put(key, body, { contentType, publicRead = false, signal }) {
      const params = { ...named(key), Body: body, ContentType: contentType, ...(publicRead && { ACL: 'public-read' as const }) }
      const upload = new Upload({ client, params, partSize: partBytes, queueSize: 2 })
      const abort = () => void upload.abort()
      signal?.addEventListener('abort', abort, { once: true })
      try {
        signal?.throwIfAborted()
        await upload.done()
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },
    async head(key) {
      try {
        const found = await client.send(new HeadObjectCommand(named(key)))
        return { key, bytes: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) }
      } catch (error) {
        if (error instanceof Error && (error.name === 'NotFound' || error.name === 'NoSuchKey')) return undefined
        throw error
      }
    },
    async list(prefix, after) {
      const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...(after && { StartAfter: after }) }))
      return (page.Contents ?? []).map(one => ({ key: one.Key ?? '', bytes: one.Size ?? 0, modifiedAt: one.LastModified ?? new Date(0) }))
    },
    async remove(keys) {
      if (keys.length === 0) return
      const { Errors = [] } = await client.send(
        new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: keys.map(Key => ({ Key })), Quiet: true } }),
      )
      const failed = Errors.filter(error => error.Code !== 'NoSuchKey')
      if (failed.length > 0) throw new Error(`${failed.length} of ${keys.length} objects were not deleted: ${failed[0]?.Code}`)
    },
    presignGet: (key, seconds) => getSignedUrl(client, new GetObjectCommand(named(key)), { expiresIn: seconds }),
  }
}
