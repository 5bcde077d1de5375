import { FilmgateError } from '../error.ts'
import type { Connection } from '../http/connection.ts'
import { endOf, type Limit, leftMs, outageMs, pause } from '../http/limit.ts'
import { retryDelayMs } from '../http/retry.ts'
import { type BodyReader, watchdog } from '../http/watchdog.ts'
import { fileSystem, folderOf } from './disk.ts'

export type Source = {
  /** Where the video is now; asked again with `renew` where the address is refused. */
  url(renew: boolean): Promise<string>
}

const connectMs = 30_000
const silentMs = 30_000
/** An address that was refused, renewed, so often is over. */
const refusalsMax = 3

type File = { length: number; write(bytes: Uint8Array): Promise<void>; restart(): Promise<void> }
type Part = { length: number; total: number | undefined; etag: string | undefined }

/** Throws where no file can be written there: before a video is charged. */
export async function checkTarget(path: string, limit: Limit): Promise<void> {
  const fs = fileSystem()
  const refused = (words: string, cause?: unknown) => {
    const message = `No file can be written to ${JSON.stringify(path)}: ${words}.`
    return new FilmgateError({ code: 'save_failed', message, cause, taskId: limit.taskId })
  }
  if (path === '' || /[/\\]$/.test(path)) throw refused('it names a folder; name a file, such as boat.mp4')
  await fs.access(folderOf(path), fs.constants.W_OK).catch((cause: unknown) => {
    throw refused(wordsOf(cause), cause)
  })
  const found = await fs.stat(path).catch(() => undefined)
  if (found?.isDirectory()) throw refused('this is a folder; name a file in it')
}

/**
 * Writes the video beside `path` and renames it once it is whole: `path` never holds a part. A cut goes on by Range where the store has it.
 */
export async function save(connection: Connection, source: Source, path: string, limit: Limit): Promise<void> {
  const fs = fileSystem()
  const partPath = `${path}.${crypto.randomUUID().slice(0, 8)}.part`
  const saved = async () => {
    const handle = await fs.open(partPath, 'wx')
    try {
      await download(connection, source, limit, {
        length: 0,
        async write(bytes) {
          for (let written = 0; written < bytes.length; ) {
            written += (await handle.write(bytes, written, bytes.length - written, this.length + written)).bytesWritten
          }
          this.length += bytes.length
        },
        async restart() {
          await handle.truncate(0)
          this.length = 0
        },
      })
      await handle.sync()
    } finally {
      await handle.close()
    }
    await fs.rename(partPath, path)
  }
  await saved().catch(async (cause: unknown) => {
    await fs.rm(partPath, { force: true }).catch(() => {})
    if (cause instanceof FilmgateError) throw cause
    throw notSaved(`The video could not be written to ${path}: ${wordsOf(cause)}.`, limit, cause)
  })
}

async function download(connection: Connection, source: Source, limit: Limit, file: File): Promise<void> {
  let part: Part = { length: 0, total: undefined, etag: undefined }
  let renew = false
  let progressAt = performance.now()
  for (let failures = 0, refusals = 0; ; ) {
    const before = file.length
    try {
      part = await fetchRest(connection, await source.url(renew), limit, { file, part })
      if (isWhole(file, part) || (part.total === undefined && file.length > 0)) return
      throw new Cut('the answer is shorter than it said')
    } catch (error) {
      const over = endOf(limit, error)
      if (over) throw over
      if (!(error instanceof Cut)) throw error
      if (isWhole(file, part)) return
      const isFurther = file.length > before
      if (isFurther) progressAt = performance.now()
      failures = isFurther ? 1 : failures + 1
      if (error.refused) refusals++
      const isOutage = !limit.chosen && performance.now() - progressAt > outageMs
      if (refusals >= refusalsMax || isOutage) throw notSaved(`The video did not arrive whole (${error.message}).`, limit, error)
      renew = error.refused
      const delayMs = retryDelayMs(failures, undefined)
      if (delayMs < leftMs(limit)) await pause(delayMs, limit, error)
    }
  }
}

const isWhole = (file: File, { total }: Part): boolean => file.length > 0 && file.length === total

/** A download to be gone on with. `refused`: the address itself may be over. */
class Cut extends Error {
  constructor(
    message: string,
    readonly refused = false,
  ) {
    super(message)
  }
}

/** Fetches what is missing, without the API key. */
async function fetchRest(connection: Connection, url: string, limit: Limit, { file, part }: { file: File; part: Part }): Promise<Part> {
  const dog = watchdog(limit.signal)
  const allow = (ms: number) => dog.allow(Math.max(0, Math.min(ms, leftMs(limit))))
  const resumes = file.length > 0 && part.etag !== undefined
  let body: BodyReader | undefined
  try {
    allow(connectMs)
    const headers = {
      'accept-encoding': 'identity',
      ...(resumes && { range: `bytes=${file.length}-`, 'if-range': part.etag as string }),
    }
    const response = await cutWhere(dog.race(connection.fetch(url, { headers, signal: dog.signal })))
    body = response.body?.getReader()
    // What is there is no beginning of what the store has now.
    if (response.status === 416) await file.restart()
    if (!response.ok) throw new Cut(`the store answered ${response.status}`, response.status < 500 && ![416, 429].includes(response.status))
    const next = partOf(response, file.length)
    if (next.length !== file.length) await file.restart()
    while (body) {
      allow(silentMs)
      const { done, value } = await cutWhere(dog.race(body.read()))
      if (done || !value) break
      await file.write(value)
      part.etag = next.etag
      part.total = next.total
    }
    return next
  } finally {
    dog.close()
    body?.cancel().catch(() => {})
  }
}

const cutWhere = <T>(promise: Promise<T>): Promise<T> =>
  promise.catch((error: unknown) => {
    throw new Cut(wordsOf(error))
  })

/** From which byte the answer goes on, and how long the whole is. */
function partOf({ status, headers }: Response, have: number): Part {
  const etag = headers.get('etag') ?? undefined
  // A weak validator says nothing of bytes, so that nothing can be resumed by it.
  const strong = etag?.startsWith('W/') ? undefined : etag
  if (status === 206) {
    const [, from, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
    if (Number(from) !== have || total === undefined) throw new Cut('the store answered with another part', true)
    return { length: have, total: Number(total), etag: strong }
  }
  const length = headers.get('content-encoding') ? null : headers.get('content-length')
  return { length: 0, total: length === null ? undefined : Number(length), etag: strong }
}

function notSaved(message: string, { taskId, idempotencyKey }: Limit, cause: unknown): FilmgateError {
  const goOn = taskId ? ` The video is there: wait('${taskId}') and save it again.` : ''
  return new FilmgateError({ code: 'save_failed', message: `${message}${goOn}`, cause, taskId, idempotencyKey })
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
