import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { backoffMs, pause } from './deadline'

/** `stall`: told of each chunk that came and each part that is stored; `over` rejects once that is too long ago. */
export type UploadDeps = { client: S3Client; callTimeoutMs: number; stall: { over: Promise<never>; moved(): void } }

export type UploadInput = {
  bucket: string
  key: string
  contentType: string
  disposition: string | undefined
  publicRead: boolean
  signal?: AbortSignal
}

/** The least that a store takes for a part that isn't the last. */
const partBytes = 5 * 1024 * 1024
const partsAtOnce = 3
const [triesMax, retryFirstMs, retryMsMax] = [3, 200, 2_000]
/** Of the address that one part is sent to. */
const addressSeconds = 900

/**
 * Sends what comes in parts, from buffers that are used again: a film of any length takes `partsAtOnce` + 1 of them, and leaves no garbage
 * of its size behind. The parts go to signed addresses by the runtime's own `fetch`, which costs half of what the SDK's way does
 * (tests/providers/copy). Bun's own S3 client has no bound on its memory. Ended by the signal or a fault, it leaves no object. A chunk is not looked at any more once the next is asked for.
 */
export async function uploadStream(deps: UploadDeps, input: UploadInput, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const ending = new AbortController()
  const { promise: ended, reject } = Promise.withResolvers<never>()
  ending.signal.addEventListener('abort', () => reject(ending.signal.reason), { once: true })
  ended.catch(() => undefined)
  const abort = () => ending.abort(input.signal?.reason)
  input.signal?.addEventListener('abort', abort, { once: true })
  if (input.signal?.aborted) abort()
  deps.stall.over.catch(error => ending.abort(error))
  const upload = openUpload(deps, input, ending.signal)
  const parts = openParts(upload, error => ending.abort(error))
  const source = chunks[Symbol.asyncIterator]()

  async function pass(): Promise<void> {
    ending.signal.throwIfAborted()
    for (let next = await source.next(); !next.done; next = await source.next()) {
      ending.signal.throwIfAborted()
      deps.stall.moved()
      await parts.take(next.value)
    }
    // A source that was told to end looks like one that came to its end.
    ending.signal.throwIfAborted()
    await parts.end()
  }

  try {
    // Once for all: what a promise of such a length is raced with time and again, it keeps.
    await Promise.race([pass(), ended])
  } catch (error) {
    ending.abort(error)
    // What it reads from may hang: that is its owner's to end.
    void Promise.resolve(source.return?.()).catch(() => undefined)
    await parts.settled()
    await upload.abandon()
    throw error
  } finally {
    input.signal?.removeEventListener('abort', abort)
  }
}

/** Fills one buffer while others are under way. */
function openParts(upload: ReturnType<typeof openUpload>, onFault: (error: unknown) => void) {
  const free: Buffer<ArrayBuffer>[] = []
  const sending = new Set<Promise<void>>()
  let buffers = 1
  let filling = Buffer.allocUnsafeSlow(partBytes)
  let filled = 0

  async function send(): Promise<void> {
    const full = filling
    const sent = upload.part(full.subarray(0, filled)).then(
      () => void free.push(full),
      error => onFault(error),
    )
    const part: Promise<void> = sent.finally(() => sending.delete(part))
    sending.add(part)
    filled = 0
    while (free.length === 0 && buffers > partsAtOnce) await Promise.race(sending)
    const next = free.pop()
    if (!next) buffers += 1
    filling = next ?? Buffer.allocUnsafeSlow(partBytes)
  }

  return {
    async take(chunk: Uint8Array): Promise<void> {
      for (let at = 0; at < chunk.length; ) {
        const taken = chunk.subarray(at, at + partBytes - filled)
        filling.set(taken, filled)
        filled += taken.length
        at += taken.length
        if (filled === partBytes) await send()
      }
    },
    async end(): Promise<void> {
      if (!upload.begun()) return upload.whole(filling.subarray(0, filled))
      if (filled > 0) await send()
      while (sending.size > 0) await Promise.race(sending)
      for (const { buffer } of free) buffer.transfer(0)
      await upload.complete()
    },
    settled: () => Promise.all(sending),
  }
}

function openUpload({ client, callTimeoutMs, stall }: UploadDeps, input: UploadInput, signal: AbortSignal) {
  const { bucket, key, contentType, disposition, publicRead } = input
  const named = { Bucket: bucket, Key: key }
  const acl = publicRead && { ACL: 'public-read' as const }
  const described = { ...named, ContentType: contentType, ContentDisposition: disposition, ...acl }
  const headers = {
    'content-type': contentType,
    ...(disposition !== undefined && { 'content-disposition': disposition }),
    ...(publicRead && { 'x-amz-acl': 'public-read' }),
  }
  const etags: string[] = []
  let begun: Promise<string> | undefined

  const begin = async () => {
    const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand(described), { abortSignal: signal })
    return UploadId
  }

  return {
    begun: () => begun !== undefined,
    async part(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
      const number = etags.push('')
      begun ??= begin()
      const command = new UploadPartCommand({ ...named, UploadId: await begun, PartNumber: number })
      const url = await getSignedUrl(client, command, { expiresIn: addressSeconds })
      etags[number - 1] = await send(url, {}, bytes, signal)
      stall.moved()
    },
    async whole(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
      const signed = new Set(Object.keys(headers))
      const options = { expiresIn: addressSeconds, signableHeaders: signed, unhoistableHeaders: signed }
      await send(await getSignedUrl(client, new PutObjectCommand(described), options), headers, bytes, signal)
    },
    async complete(): Promise<void> {
      signal.throwIfAborted()
      const stored = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }))
      const command = new CompleteMultipartUploadCommand({ ...named, UploadId: await begun, MultipartUpload: { Parts: stored } })
      await client.send(command, { abortSignal: signal })
    },
    /** A process that dies before leaves parts that `abandonUploads` or a rule of the bucket ends. */
    async abandon(): Promise<void> {
      const UploadId = await begun?.catch(() => undefined)
      if (!UploadId) return
      const inTime = { abortSignal: AbortSignal.timeout(callTimeoutMs) }
      await client.send(new AbortMultipartUploadCommand({ ...named, UploadId }), inTime).catch(() => undefined)
    },
  }
}

/** Returns the ETag. Tries again where the store, or the way there, failed by itself. */
async function send(url: string, headers: Record<string, string>, body: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(url, { method: 'PUT', headers, body, signal, redirect: 'manual' }).catch((error: Error) => error)
    if (!(answer instanceof Error) && answer.ok) {
      await answer.body?.cancel()
      return answer.headers.get('etag') ?? ''
    }
    signal.throwIfAborted()
    const isPassing = answer instanceof Error || answer.status >= 500 || answer.status === 429
    if (!isPassing || tries === triesMax) throw answer instanceof Error ? answer : await refusedBy(answer)
    await pause(backoffMs(tries, retryFirstMs, retryMsMax), signal)
    signal.throwIfAborted()
  }
}

/** Named by the store's own code, as the SDK names its errors. The rest of the answer repeats what was signed. */
async function refusedBy(answer: Response): Promise<Error> {
  const [, code = 'no reason'] = /<Code>(\w{1,80})<\/Code>/.exec(await answer.text()) ?? []
  return Object.assign(new Error(`the store answered ${answer.status}: ${code}`), { name: code })
}
