import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { Readable } from 'node:stream'
import { CreateBucketCommand, DeleteBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { createObjectStore, type ObjectStore } from './object-store'
import { servers, until } from './testing'

const bucket = `test-${crypto.randomUUID()}`
const { endpoint, region, accessKeyId, secretAccessKey } = servers.s3
const admin = new S3Client({ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } })
let store: ObjectStore
beforeAll(async () => {
  await admin.send(new CreateBucketCommand({ Bucket: bucket }))
  store = createObjectStore({ ...servers.s3, bucket })
})
afterAll(async () => {
  await store.remove((await store.list('')).map(({ key }) => key))
  await admin.send(new DeleteBucketCommand({ Bucket: bucket }))
})

const contentType = 'application/octet-stream'
const fetchBytes = async (key: string) => new Uint8Array(await (await fetch(await store.presignGet(key, 60))).arrayBuffer())

test('bytes and streams are kept as they came, small and in several parts', async () => {
  const small = randomBytes(10)
  const large = randomBytes(12 * 1024 * 1024)
  await store.put('kept/small', small, { contentType })
  await store.put(
    'kept/large',
    Readable.from(
      (function* () {
        for (let at = 0; at < large.length; at += 65_536) yield large.subarray(at, at + 65_536)
      })(),
    ),
    { contentType, sha256: createHash('sha256').update(large).digest('hex') },
  )
  expect(Buffer.compare(await fetchBytes('kept/small'), small)).toBe(0)
  expect(Buffer.compare(await fetchBytes('kept/large'), large)).toBe(0)
  expect(await store.head('kept/large')).toMatchObject({ key: 'kept/large', bytes: large.length })
})

/** As a network brings it: in pieces of no round length, each emptied once the next is asked for. */
async function* pieces(bytes: Buffer, pieceBytes = 65_537): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const piece = new Uint8Array(bytes.subarray(at, at + pieceBytes))
    yield piece
    piece.fill(0)
  }
}

const part = 5 * 1024 * 1024

test.each([0, 10, part - 1, part, part + 1, 12 * 1024 * 1024, 33 * 1024 * 1024])(
  'a stream of %d bytes is kept as it came, with its type and name, for its readers',
  async bytes => {
    const sent = randomBytes(bytes)
    const disposition = 'inline; filename="a film.mp4"'
    await store.putStream('kept/stream', pieces(sent), { contentType: 'video/mp4', disposition, publicRead: true })
    const answer = await fetch(`${endpoint}/${bucket}/kept/stream`)
    const told = ['content-type', 'content-disposition'].map(name => answer.headers.get(name))
    expect([answer.status, ...told]).toEqual([200, 'video/mp4', disposition])
    expect(Buffer.compare(Buffer.from(await answer.arrayBuffer()), sent)).toBe(0)
    await store.remove(['kept/stream'])
  },
)

/** In the store's place, by the name it is asked by: answers so many PUTs with these, one after another, and passes the rest on. */
function relay(faults: number[]) {
  let puts = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = new Uint8Array(await request.arrayBuffer())
      if (request.method === 'PUT') puts += 1
      const fault = request.method === 'PUT' ? faults.shift() : undefined
      if (fault) return new Response('not now', { status: fault })
      const { pathname, search } = new URL(request.url)
      const { method, headers } = request
      return fetch(`${endpoint}${pathname}${search}`, { method, headers, ...(body.length > 0 && { body }) })
    },
  })
  return { endpoint: `http://127.0.0.1:${server.port}`, puts: () => puts, stop: () => server.stop(true) }
}

test('a store that fails now and then keeps a stream whole; what it refuses is not tried again', async () => {
  const passing = relay([503, 500, 429])
  const sent = randomBytes(12 * 1024 * 1024)
  await createObjectStore({ ...servers.s3, bucket, endpoint: passing.endpoint }).putStream('kept/relayed', pieces(sent), { contentType })
  expect(passing.puts()).toBe(3 + 3)
  expect(Buffer.compare(await fetchBytes('kept/relayed'), sent)).toBe(0)
  await passing.stop()
  const refusing = relay([403])
  const refused = createObjectStore({ ...servers.s3, bucket, endpoint: refusing.endpoint })
  await expect(refused.putStream('kept/refused', pieces(Buffer.alloc(10)), { contentType })).rejects.toThrow(
    'the store answered 403: no reason',
  )
  expect([refusing.puts(), await store.head('kept/refused')]).toEqual([1, undefined])
  await refusing.stop()
})

test('an object that is not there has no head', async () => {
  expect(await store.head('nowhere')).toBeUndefined()
})

test('a list pages in the order of keys; removing what is missing is no error', async () => {
  for (const key of ['list/c', 'list/a', 'list/b']) await store.put(key, new Uint8Array([1]), { contentType })
  expect((await store.list('list/')).map(({ key }) => key)).toEqual(['list/a', 'list/b', 'list/c'])
  expect((await store.list('list/', 'list/a')).map(({ key }) => key)).toEqual(['list/b', 'list/c'])
  await store.remove(['list/a', 'list/none', 'list/b'])
  expect((await store.list('list/')).map(({ key }) => key)).toEqual(['list/c'])
  await store.remove([])
})

test('an upload whose source fails, or that is aborted, leaves no object', async () => {
  const failing = Readable.from(
    (async function* () {
      yield randomBytes(6 * 1024 * 1024)
      throw new Error('the source broke')
    })(),
  )
  await expect(store.put('broken/source', failing, { contentType })).rejects.toThrow('the source broke')
  const abort = new AbortController()
  const endless = Readable.from(
    (async function* () {
      for (;;) {
        yield randomBytes(1024 * 1024)
        await Bun.sleep(10)
      }
    })(),
  )
  const putting = store.put('broken/aborted', endless, { contentType, signal: abort.signal })
  setTimeout(() => abort.abort(), 200)
  await expect(putting).rejects.toThrow()
  await expect(store.put('broken/before', endless, { contentType, signal: AbortSignal.abort() })).rejects.toThrow()
  expect(await store.list('broken/')).toEqual([])
})

test('a stream whose source fails or hangs, or that is aborted, leaves neither an object nor parts of one', async () => {
  async function* failing() {
    yield* pieces(randomBytes(7 * 1024 * 1024))
    throw new Error('the source broke')
  }
  async function* hanging() {
    yield* pieces(randomBytes(7 * 1024 * 1024))
    await new Promise<never>(() => {})
  }
  await expect(store.putStream('broken/stream', failing(), { contentType })).rejects.toThrow('the source broke')
  const signal = AbortSignal.timeout(500)
  await expect(store.putStream('broken/hanging', hanging(), { contentType, signal })).rejects.toThrow('timed out')
  const aborted = AbortSignal.abort(new Error('stopping'))
  await expect(store.putStream('broken/before', hanging(), { contentType, signal: aborted })).rejects.toThrow('stopping')
  const hurried = createObjectStore({ ...servers.s3, bucket, stallTimeoutMs: 3_000 })
  await expect(hurried.putStream('broken/stalled', hanging(), { contentType })).rejects.toThrow('the upload did not answer within 3000 ms')
  expect(await store.list('broken/')).toEqual([])
  expect(await store.abandonUploads('broken/', new Date(Date.now() + 60_000))).toBe(0)
})

test('a presigned address reads without credentials until it expires; without one nothing is read', async () => {
  await store.put('private', new Uint8Array([7]), { contentType })
  expect([...(await fetchBytes('private'))]).toEqual([7])
  const expired = await store.presignGet('private', 1)
  await Bun.sleep(2_100)
  expect((await fetch(expired)).status).toBe(403)
  expect((await fetch(`${endpoint}/${bucket}/private`)).status).toBe(403)
})

test('a presigned address takes what it was signed for until it expires: another type, or another reader, is refused', async () => {
  const { url, headers } = await store.presignPut('put', 60, { contentType: 'image/jpeg', publicRead: true })
  const put = (sent: Record<string, string>, to = url) =>
    fetch(to, { method: 'PUT', headers: sent, body: new Uint8Array([7]) }).then(answer => answer.status)
  expect([await put({ ...headers, 'content-type': 'text/html' }), await put({ 'content-type': 'image/jpeg' })]).toEqual([403, 403])
  expect(await store.head('put')).toBeUndefined()
  expect(await put(headers)).toBe(200)
  expect([...(await fetchBytes('put'))]).toEqual([7])
  expect((await fetch(`${endpoint}/${bucket}/put`)).headers.get('content-type')).toBe('image/jpeg')
  const brief = await store.presignPut('late', 1, { contentType: 'image/jpeg' })
  await Bun.sleep(2_100)
  expect(await put(brief.headers, brief.url)).toBe(403)
})

test('a presigned address that names a length takes nothing longer or shorter', async () => {
  const { url, headers } = await store.presignPut('measured', 60, { contentType: 'image/png', bytes: 3 })
  const put = (bytes: number[]) => fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) }).then(answer => answer.status)
  expect([await put([1, 2]), await put([1, 2, 3, 4])]).toEqual([403, 403])
  expect(await store.head('measured')).toBeUndefined()
  expect(await put([1, 2, 3])).toBe(200)
  expect(await store.head('measured')).toMatchObject({ bytes: 3 })
})

test('a store that does not answer fails in time', async () => {
  const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const stalled = createObjectStore({ ...servers.s3, endpoint: `http://127.0.0.1:${silent.port}`, bucket, callTimeoutMs: 300 })
  const startedAt = performance.now()
  await expect(stalled.head('x')).rejects.toThrow()
  await expect(stalled.list('')).rejects.toThrow()
  await expect(stalled.remove(['x'])).rejects.toThrow()
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  silent.stop(true)
})

/** A store that takes connections and never says a word. */
async function withSilentStore(use: (silent: ObjectStore) => Promise<void>): Promise<void> {
  const server = createServer(socket => void socket.on('error', () => undefined).resume())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const silent = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await use(createObjectStore({ ...servers.s3, endpoint: silent, bucket, callTimeoutMs: 300, stallTimeoutMs: 300 }))
  } finally {
    server.close()
  }
}

test('a store that never answers ends every call in its time, an upload too', () =>
  withSilentStore(async silent => {
    const calls = {
      put: silent.put('a', randomBytes(10), { contentType }),
      stream: silent.put('b', Readable.from([randomBytes(6_000_000), randomBytes(6_000_000)]), { contentType }),
      pieces: silent.putStream('c', pieces(randomBytes(12_000_000)), { contentType }),
      head: silent.head('a'),
      list: silent.list(''),
      remove: silent.remove(['a']),
      abandonUploads: silent.abandonUploads('', new Date()),
    }
    const named = Object.entries(calls).map(async ([name, call]) => [
      name,
      await call.then(
        () => 'answered',
        error => error.name,
      ),
    ])
    expect(Object.fromEntries(await Promise.all(named))).toEqual({
      ...{ put: 'DeadlineError', stream: 'DeadlineError', pieces: 'DeadlineError' },
      ...{ head: 'AbortError', list: 'AbortError', remove: 'AbortError', abandonUploads: 'AbortError' },
    })
  }))

test('a file that an upload never began to read is closed, and its fault is nobody’s', async () => {
  const faults: unknown[] = []
  const note = (error: unknown) => void faults.push(error)
  process.on('uncaughtException', note)
  try {
    const aborted = AbortSignal.abort(new Error('stopping'))
    const missing = createReadStream('/no/such/file')
    await expect(store.put('never', missing, { contentType, signal: aborted })).rejects.toThrow('stopping')
    await until('the file to be given up', () => missing.closed)
    expect(faults).toEqual([])
  } finally {
    process.off('uncaughtException', note)
  }
})
