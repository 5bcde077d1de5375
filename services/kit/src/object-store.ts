import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { DeadlineError } from './deadline'
import { uploadStream } from './upload-stream'

export type ObjectStoreOptions = {
  endpoint: string
  region: string
  bucket: string
  /** Without keys AWS's default chain is asked, again and again as its credentials end. */
  accessKeyId?: string
  secretAccessKey?: string
  /** For every call but an upload, its retries included. */
  callTimeoutMs?: number
  /** Of an upload: how long neither a byte of the body nor a part's end may come. */
  stallTimeoutMs?: number
}

export type Stored = { key: string; bytes: number; modifiedAt: Date }

export type PutOptions = {
  contentType: string
  /** The Content-Disposition that readers get with the object. */
  disposition?: string
  /** Sends the ACL `public-read`, for a store where the bucket's policy can't make its objects public. */
  publicRead?: boolean
  /** Kept with the object as metadata. */
  sha256?: string
  signal?: AbortSignal
}

export type ObjectStore = {
  /** Uploads in parts with bounded memory; an aborted, stalled or failed upload leaves no object. The body is used up, whatever comes of it. */
  put(key: string, body: Readable | Uint8Array, options: PutOptions): Promise<void>
  /** The same for what is long, at half the cost. A chunk is not looked at any more once the next is asked for. */
  putStream(key: string, chunks: AsyncIterable<Uint8Array>, options: Omit<PutOptions, 'sha256'>): Promise<void>
  /** Undefined where there is no such object. */
  head(key: string): Promise<Stored | undefined>
  /** Up to 1,000 objects whose keys come after `after`. */
  list(prefix: string, after?: string): Promise<Stored[]>
  /** Missing keys are no error; up to 1,000 keys. */
  remove(keys: string[]): Promise<void>
  /** Ends uploads in parts that began before `startedBefore` and were never finished, as a crash leaves them. Returns how many. */
  abandonUploads(prefix: string, startedBefore: Date): Promise<number>
  /** A URL that reads the object without credentials for `seconds`. `disposition`: the Content-Disposition that it is answered with. */
  presignGet(key: string, seconds: number, disposition?: string): Promise<string>
  /** A URL that takes one PUT after another for `seconds`, without credentials, of whatever has exactly these headers. `bytes`: its length too, which every client names by itself. */
  presignPut(
    key: string,
    seconds: number,
    options: Pick<PutOptions, 'contentType' | 'publicRead'> & { bytes?: number },
  ): Promise<PresignedPut>
}

export type PresignedPut = { url: string; headers: Record<string, string> }

/**
 * Whether an upload failed because the bucket takes no ACL, as S3 makes buckets since April 2023 (Object Ownership: bucket owner enforced).
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/about-object-ownership.html
 */
export const isAclRefusal = (error: unknown): boolean => error instanceof Error && error.name === 'AccessControlListNotSupported'

const partBytes = 5 * 1024 * 1024

/** One bucket of an S3-compatible store. */
export function createObjectStore(options: ObjectStoreOptions): ObjectStore {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, callTimeoutMs = 30_000, stallTimeoutMs = 60_000 } = options
  const client = openClient({ endpoint, region, ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }) })
  const inTime = () => ({ abortSignal: AbortSignal.timeout(callTimeoutMs) })
  const named = (key: string) => ({ Bucket: bucket, Key: key })
  return {
    async put(key, body, { contentType, disposition, publicRead = false, sha256, signal }) {
      const stall = createStall(stallTimeoutMs)
      const Body = body instanceof Readable ? Readable.from(counting(body, stall.moved), { objectMode: false }) : body
      const described = { ContentType: contentType, ContentDisposition: disposition }
      const params = {
        ...named(key),
        Body,
        ...described,
        ...(publicRead && { ACL: 'public-read' as const }),
        ...(sha256 && { Metadata: { sha256 } }),
      }
      const upload = new Upload({ client, params, partSize: partBytes, queueSize: 2 })
      upload.on('httpUploadProgress', stall.moved)
      const abort = () => void upload.abort()
      signal?.addEventListener('abort', abort, { once: true })
      try {
        signal?.throwIfAborted()
        await Promise.race([upload.done(), stall.over])
      } catch (error) {
        abort()
        throw error
      } finally {
        stall.stop()
        signal?.removeEventListener('abort', abort)
        if (body instanceof Readable) discard(body)
      }
    },
    putStream(key, chunks, { contentType, disposition, publicRead = false, signal }) {
      const stall = createStall(stallTimeoutMs)
      const input = { bucket, key, contentType, disposition, publicRead, ...(signal && { signal }) }
      return uploadStream({ client, callTimeoutMs, stall }, input, chunks).finally(stall.stop)
    },
    async head(key) {
      try {
        const found = await client.send(new HeadObjectCommand(named(key)), inTime())
        return { key, bytes: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) }
      } catch (error) {
        if (error instanceof Error && (error.name === 'NotFound' || error.name === 'NoSuchKey')) return undefined
        throw error
      }
    },
    async list(prefix, after) {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...(after && { StartAfter: after }) }),
        inTime(),
      )
      return (page.Contents ?? []).map(one => ({ key: one.Key ?? '', bytes: one.Size ?? 0, modifiedAt: one.LastModified ?? new Date(0) }))
    },
    async remove(keys) {
      if (keys.length === 0) return
      const { Errors = [] } = await client.send(
        new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: keys.map(Key => ({ Key })), Quiet: true } }),
        inTime(),
      )
      const failed = Errors.filter(error => error.Code !== 'NoSuchKey')
      if (failed.length > 0) throw new Error(`${failed.length} of ${keys.length} objects were not deleted: ${failed[0]?.Code}`)
    },
    async abandonUploads(prefix, startedBefore) {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix }), inTime())
      const left = Uploads.filter(({ Initiated }) => (Initiated ?? new Date(0)) < startedBefore)
      for (const { Key, UploadId } of left) await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }), inTime())
      return left.length
    },
    presignGet: (key, seconds, disposition) =>
      getSignedUrl(client, new GetObjectCommand({ ...named(key), ...(disposition && { ResponseContentDisposition: disposition }) }), {
        expiresIn: seconds,
      }),
    async presignPut(key, seconds, { contentType, publicRead = false, bytes }) {
      const acl = publicRead && { ACL: 'public-read' as const }
      const headers = { 'content-type': contentType, ...(publicRead && { 'x-amz-acl': 'public-read' }) }
      // Signed as headers: not every store reads them from the address, and nothing else can be written then.
      const named = new Set([...Object.keys(headers), ...(bytes === undefined ? [] : ['content-length'])])
      const length = bytes !== undefined && { ContentLength: bytes }
      const command = new PutObjectCommand({ Bucket: bucket, Key: key, ContentType: contentType, ...acl, ...length })
      const url = await getSignedUrl(client, command, { expiresIn: seconds, signableHeaders: named, unhoistableHeaders: named })
      return { url, headers }
    },
  }
}

/** In words that other stores take, too: the bucket in the path, no checksum beside the SHA-256 that each request is signed with. */
function openClient(where: S3ClientConfig): S3Client {
  const checksums = { requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' } as const
  const client = new S3Client({ ...where, forcePathStyle: true, ...checksums, maxAttempts: 3 })
  deleteByMd5(client)
  return client
}

/** A deletion of many names a checksum of itself: MD5 is the one that every store takes, AWS too (API_DeleteObjects). */
function deleteByMd5(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      args => {
        const { headers = {}, body } = args.request as { headers?: Record<string, string>; body?: string }
        if (commandName === 'DeleteObjectsCommand' && body !== undefined) {
          for (const name of Object.keys(headers)) if (/^x-amz-(sdk-)?checksum-/i.test(name)) delete headers[name]
          headers['content-md5'] = createHash('md5').update(body).digest('base64')
        }
        return next(args)
      },
    { step: 'build', priority: 'low', name: 'deleteByMd5' },
  )
}

/** `over` rejects when nothing moved for `timeoutMs`. */
function createStall(timeoutMs: number) {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const end = () => reject(new DeadlineError('the upload', timeoutMs))
  let timer = setTimeout(end, timeoutMs)
  // An upload that ends by itself leaves nobody waiting for this.
  over.catch(() => undefined)
  return {
    over,
    moved() {
      clearTimeout(timer)
      timer = setTimeout(end, timeoutMs)
    },
    stop: () => clearTimeout(timer),
  }
}

async function* counting(body: Readable, onChunk: () => void): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of body) {
    onChunk()
    yield chunk
  }
}

/** Closes what it reads from. What it says of that later, or says because nobody ever began to read, is nobody's business any more. */
function discard(body: Readable): void {
  body.on('error', () => undefined)
  body.destroy()
}

/** The key of the object that has this public URL. Undefined for a URL elsewhere, or where no base is configured. */
export function objectKeyOf(baseUrl: string | undefined, url: string): string | undefined {
  const start = `${baseUrl}/`
  return baseUrl !== undefined && url.startsWith(start) ? url.slice(start.length) : undefined
}
