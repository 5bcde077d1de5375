import { FilmgateError, type FilmgateErrorCode } from '../error.ts'
import { readFile } from '../files/disk.ts'
import type { NewUpload, OpenedUpload, Upload } from '../generated.ts'
import { type Connection, segment } from '../http/connection.ts'
import { type CallOptions, endOf, type Limit, leftMs, limitOf, pause } from '../http/limit.ts'
import { retryDelayMs } from '../http/retry.ts'
import { send } from '../http/send.ts'
import { watchdog } from '../http/watchdog.ts'

export type UploadOptions = CallOptions & {
  /** The media type; else that of the Blob, or of the ending of the path. */
  type?: string | undefined
  /** False: don't wait for the file to be checked. It is then checked with the request that names it. */
  check?: boolean | undefined
}

const uploadMs = 600_000
const openMs = 60_000
const putMs = 300_000
const putsMax = 5
/** Checking takes a second or so; who still waits after that reads again at the server's pace. */
const firstReadMs = 1_000
const readMs = 10_000

/** Files that requests may name. */
export const uploads = (connection: Connection) => ({
  /**
   * Uploads a Blob, or the file at a path (Node, Bun, Deno), waits until it has been checked, and returns the URL for `image_url` or another media
   * field. The file is private to the account and deleted after a day. Throws the code that it was refused with, such as `media_corrupt`.
   */
  async create(file: Blob | string, { type, check = true, ...options }: UploadOptions = {}): Promise<string> {
    const limit = limitOf(options, uploadMs)
    const blob = typeof file === 'string' ? await readFile(file) : file
    const mediaType = type ?? blob.type.split(';')[0]?.trim()
    if (!mediaType) throw new FilmgateError({ code: 'invalid_argument', message: 'Say the `type` of the file, such as image/png.' })
    // The server says which types there are.
    const body = { type: mediaType as NewUpload['type'], bytes: blob.size } satisfies NewUpload
    const call = { method: 'POST', path: '/uploads', body: JSON.stringify(body) } as const
    // Soon over: a server without uploads answers 503.
    const opened = (await send<OpenedUpload>(connection, call, limitOf(options, openMs))).body
    await put(connection, opened, blob, limit)
    if (check) await waitUntilChecked(connection, opened.id, limit)
    return opened.url
  },

  /** Whether a file has arrived, and what checking it found. */
  get: async (id: string, options: CallOptions = {}): Promise<Upload> => readUpload(connection, id, limitOf(options, uploadMs)),
})

/** Puts the bytes to the store, without the API key. The same PUT again stores the same bytes. */
async function put(connection: Connection, { put_url, put_headers }: OpenedUpload, body: Blob, limit: Limit): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    const dog = watchdog(limit.signal)
    dog.allow(Math.max(0, Math.min(putMs, leftMs(limit))))
    let fault: unknown
    try {
      if (!/^https?:\/\//.test(put_url)) throw notUploaded(new Error('no address to put it'))
      const sent = connection.fetch(put_url, { method: 'PUT', headers: put_headers, body, redirect: 'manual', signal: dog.signal })
      const { ok, status } = await dog.race(
        sent.then(async response => ({ ok: response.ok, status: response.status, text: await response.text() })),
      )
      if (ok) return
      fault = new Error(`the store answered ${status}`)
      if (status < 500 && status !== 408 && status !== 429) throw notUploaded(fault)
    } catch (error) {
      if (error instanceof FilmgateError) throw error
      fault = error
    } finally {
      dog.close()
    }
    const over = endOf(limit, fault)
    if (over) throw over
    if (attempts >= putsMax) throw notUploaded(fault)
    await pause(retryDelayMs(attempts, undefined), limit, fault)
  }
}

async function waitUntilChecked(connection: Connection, id: string, limit: Limit): Promise<void> {
  for (let reads = 1; ; reads++) {
    const { status, issue } = await readUpload(connection, id, limit)
    if (status === 'accepted') return
    if (status === 'refused')
      throw new FilmgateError({
        code: (issue?.code ?? 'upload_failed') as FilmgateErrorCode,
        message: issue?.message ?? 'The file was refused.',
      })
    await pause(Math.min(firstReadMs * 2 ** (reads - 1), readMs), limit)
  }
}

const readUpload = async (connection: Connection, id: string, limit: Limit): Promise<Upload> =>
  (await send<Upload>(connection, { path: `/uploads/${segment(id)}` }, limit)).body

const notUploaded = (cause: unknown) =>
  new FilmgateError({
    code: 'upload_failed',
    message: `The file was not uploaded (${cause instanceof Error ? cause.message : cause}).`,
    cause,
  })
