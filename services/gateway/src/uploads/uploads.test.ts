import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { renderError } from '@filmgate/kit/http/render-error'
import { servers, type TestDatabase, testBucket, testDatabase, testLog } from '@filmgate/kit/testing'
import type { UploadVerdict } from '@filmgate/proto/upload-verdict'
import { Elysia } from 'elysia'
import { createFindBalance } from '../balances/find-balance'
import { reasons } from '../errors'
import { deleteUploads, uploadSweep } from './delete-uploads'
import { createJudgeUpload, type JudgeUpload } from './judge-upload'
import { storeUpload, uploadRoomOf, uploadsKeptMs } from './open-upload'
import { type UploadDeps, uploads } from './routes'

const { store, name } = await testBucket()
let database: TestDatabase
let deps: UploadDeps
let clock = new Date()
let verdict: UploadVerdict | undefined
const questions: unknown[] = []
const judgeUpload: JudgeUpload = async question => {
  questions.push(question)
  return verdict
}
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  deps = {
    ...{ sql: database.sql, findBalance: createFindBalance(database.sql), uploads: { own: store, public: store }, judgeUpload },
    uploadRoom: { uploadRoomMebibytes: 1_024, uploadRoomPaidMebibytes: 64, uploadRoomMebibytesMax: 16_384 },
    now: () => clock,
  }
})
afterAll(() => database.drop())

/** Asks as the key of an account; the key's check and limit have tests of their own. */
async function ask(accountId: string, path: string, body?: unknown) {
  const key = {
    findCaller: async () => ({ accountId, keyId: accountId }),
    takeToken: async () => ({ taken: true, left: 29, waitMs: 0 }),
    ...{ rateLimit: 30, addressRateLimit: 30, clientAddress: () => '192.0.2.1', giveAddressTokenBack() {} },
    takeAddressToken: () => ({ taken: true, left: 1, waitMs: 0 }),
  } as unknown as Parameters<typeof uploads>[0]
  const app = new Elysia({ normalize: false }).use(renderError(testLog, reasons)).use(uploads({ ...key, ...deps }))
  const post = body !== undefined && { method: 'POST', body: JSON.stringify(body) }
  const headers = { authorization: 'Bearer sk_live_x', 'content-type': 'application/json' }
  const answer = await app.handle(new Request(`http://gateway${path}`, { ...post, headers }))
  return {
    status: answer.status,
    headers: answer.headers,
    text: await answer.clone().text(),
    body: (await answer.json()) as Record<string, never>,
  }
}

type Opened = { id: string; put_url: string; put_headers: Record<string, string>; url: string; expires_at: string }
const picture = { type: 'image/png', bytes: 4 }
const bytes = new Uint8Array([1, 2, 3, 4])
const open = async (account: string, body: object = picture) => (await ask(account, '/uploads', body)).body as unknown as Opened
const put = ({ put_url, put_headers }: Opened, body = bytes, headers = put_headers) =>
  fetch(put_url, { method: 'PUT', headers, body }).then(({ status }) => status)

test('a file goes to the bucket under the account’s name, exactly as it was announced', async () => {
  const opened = await open('a1')
  expect(opened).toEqual({
    id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
    put_url: expect.stringContaining(`${servers.s3.endpoint}/${name}/a1/${opened.id}.png?`),
    put_headers: { 'content-type': 'image/png' },
    url: `https://uploads.filmgate.internal/a1/${opened.id}.png`,
    expires_at: new Date(clock.getTime() + uploadsKeptMs).toISOString(),
  })
  expect(await put(opened, new Uint8Array(5))).toBe(403)
  expect(await put(opened, bytes, { 'content-type': 'text/html' })).toBe(403)
  expect(await put(opened)).toBe(200)
  expect(await store.head(`a1/${opened.id}.png`)).toMatchObject({ bytes: 4 })
})

test('an upload waits for its file, is judged once when it has arrived, and tells what was found', async () => {
  const opened = await open('a1')
  const read = async () => {
    const { status, headers, body } = await ask('a1', `/uploads/${opened.id}`)
    return [status, headers.get('retry-after'), body] as unknown
  }
  const { id, expires_at } = opened
  const waiting = [200, '10', { id, status: 'waiting', expires_at }]
  questions.length = 0
  expect(await read()).toEqual(waiting)
  expect(questions).toEqual([])
  await put(opened)
  verdict = undefined
  expect(await read()).toEqual(waiting)
  verdict = { verdict: 'rejected', code: 'media_corrupt', message: 'The file is damaged.' }
  const refused = [200, null, { id, status: 'refused', issue: { code: 'media_corrupt', message: 'The file is damaged.' }, expires_at }]
  expect(await read()).toEqual(refused)
  expect(await read()).toEqual(refused)
  expect(questions).toHaveLength(2)
  expect(questions[0]).toMatchObject({ key: `a1/${id}.png`, kind: 'image', limits: { formats: ['jpeg', 'png', 'webp'] } })
  const clip = await open('a1', { type: 'video/mp4', bytes: 4 })
  await put(clip)
  verdict = { verdict: 'fits', width: 640, height: 480, seconds: 3.4, declared_seconds: 4 }
  expect((await ask('a1', `/uploads/${clip.id}`)).body).toEqual({ id: clip.id, status: 'accepted', expires_at: clip.expires_at } as never)
})

test('another account’s upload, an expired one and none at all are answered alike', async () => {
  const { id } = await open('a1')
  const unknown = await ask('a2', `/uploads/${'x'.repeat(22)}`)
  expect([unknown.status, unknown.body]).toMatchObject([404, { error: { code: 'upload_not_found' } }])
  const expired = async () => {
    clock = new Date(clock.getTime() + uploadsKeptMs)
    return ask('a1', `/uploads/${id}`).finally(() => {
      clock = new Date(clock.getTime() - uploadsKeptMs)
    })
  }
  for (const answer of [
    await ask('a2', `/uploads/${id}`),
    await expired(),
    await ask('a1', '/uploads/a%00b'),
    await ask('a1', '/uploads/..%2Fa'),
  ])
    expect([answer.status, answer.text]).toEqual([404, unknown.text])
})

test.each([
  [{ type: 'image/gif', bytes: 4 }, 'type'],
  [{ type: 'IMAGE/PNG', bytes: 4 }, 'type'],
  [{ type: 'image/png', bytes: 0 }, 'bytes'],
  [{ type: 'image/png', bytes: 52_428_801 }, 'bytes'],
  [{ type: 'image/png', bytes: 1.5 }, 'bytes'],
  [{ type: 'image/png', bytes: '4' }, 'bytes'],
  [{ type: 'image/png' }, 'bytes'],
  [{ ...picture, model: 'alpha-h3' }, 'model'],
])('%j is refused, and takes no room', async (body, path) => {
  const answer = await ask('a6', '/uploads', body)
  expect([answer.status, answer.body]).toMatchObject([
    400,
    { error: { code: 'invalid_request', details: { issues: expect.arrayContaining([expect.objectContaining({ path })]) } } },
  ])
  expect(await database.sql`select from upload where account_id = 'a6'`).toHaveLength(0)
})

test('an account uploads so many files an hour, also at one moment, and again after it', async () => {
  const answers = await Promise.all(Array.from({ length: 130 }, () => ask('a3', '/uploads', picture)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(120)
  const [refused] = answers.filter(({ status }) => status === 429)
  expect(refused?.body).toMatchObject({ error: { code: 'upload_limit' } } as never)
  expect(refused?.headers.get('retry-after')).toBe('3600')
  expect((await ask('a4', '/uploads', picture)).status).toBe(201)
  clock = new Date(clock.getTime() + 3_600_000)
  expect((await ask('a3', '/uploads', picture)).status).toBe(201)
}, 30_000)

test('an account has room for a day of uploads, and more with paid credits', async () => {
  const film = { type: 'video/mp4', bytes: 30 * 1_048_576 }
  const insert = (ageMs: number, mebibytes: number) => database.sql`
    insert into upload (id, account_id, ending, bytes, created_at)
    values (${crypto.randomUUID()}, 'a5', 'mp4', ${mebibytes * 1_048_576}, ${new Date(clock.getTime() - ageMs)})`
  await insert(uploadsKeptMs - 60_000, 1_000)
  await insert(uploadsKeptMs, 9_000)
  const refused = await ask('a5', '/uploads', film)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  const message = 'This account has uploaded 1,000 of 1,024 MiB. Uploads are deleted after a day, and paid credits make more room.'
  expect(refused.body).toMatchObject({ error: { message } } as never)
  await database.sql`insert into account (id, name, available) values ('a5', 'a5', 100)`
  const three = await Promise.all([1, 2, 3].map(() => ask('a5', '/uploads', film)))
  expect(three.map(({ status }) => status).sort()).toEqual([201, 201, 429])
  expect([0, 99, 100, 23_900, 24_000, 1_000_000].map(paid => uploadRoomOf(deps.uploadRoom, paid) / 1_048_576)).toEqual([
    1_024, 1_024, 1_088, 16_320, 16_384, 16_384,
  ])
})

test('bytes that a route took itself are stored as an upload, within the same room', async () => {
  const { url } = await storeUpload(deps, { accountId: 'a7', type: 'image/png', body: bytes })
  expect(await store.head(url.slice('https://uploads.filmgate.internal/'.length))).toMatchObject({ bytes: 4 })
  expect(storeUpload(deps, { accountId: 'a5', type: 'video/mp4', body: new Uint8Array(40 * 1_048_576) })).rejects.toMatchObject({
    reason: 'upload_limit',
  })
})

test('without a bucket uploads are said to be off', async () => {
  const on = deps
  deps = { ...on, uploads: undefined }
  const answer = await ask('a1', '/uploads', picture).finally(() => {
    deps = on
  })
  expect([answer.status, answer.body]).toMatchObject([503, { error: { code: 'service_unavailable', message: 'Uploads are off here.' } }])
})

test('media-probe is asked with a signed address, and what is no verdict is none', async () => {
  const asked: { url: string; kind: string }[] = []
  let answer = () => Response.json({ verdict: 'fits', width: 1, height: 2, seconds: 0, declared_seconds: 0 })
  const probe = Bun.serve({
    ...{ port: 0, hostname: '127.0.0.1' },
    async fetch(request) {
      asked.push((await request.json()) as { url: string; kind: string })
      return answer()
    },
  })
  const judge = createJudgeUpload({ mediaProbeUrl: `http://127.0.0.1:${probe.port}`, store, log: testLog })
  const question = { key: 'a1/x.png', kind: 'image' as const, limits: {}, waitMsMax: 5_000 }
  expect(await judge(question)).toMatchObject({ verdict: 'fits' })
  expect(asked).toEqual([expect.objectContaining({ kind: 'image', url: expect.stringMatching(/\/a1\/x\.png\?.*X-Amz-Signature=/) })])
  for (const other of [() => new Response('', { status: 503 }), () => Response.json({ verdict: 'x' })]) {
    answer = other
    expect(await judge(question)).toBeUndefined()
  }
  await probe.stop(true)
  expect(await judge(question)).toBeUndefined()
})

test('uploads are deleted after a day and not before, file and row', async () => {
  const { url } = await storeUpload(deps, { accountId: 'a9', type: 'image/png', body: bytes })
  const key = url.slice('https://uploads.filmgate.internal/'.length)
  const now = (ms: number) => () => new Date(Date.now() + ms)
  await deleteUploads({ store, now: now(uploadsKeptMs - 60_000) })
  expect(await store.head(key)).toBeDefined()
  await uploadSweep({ sql: database.sql, store, now: now(2 * uploadsKeptMs) })()
  expect(await store.list('')).toEqual([])
  expect(await database.sql`select from upload`).toHaveLength(0)
})
