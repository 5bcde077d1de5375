import { afterAll, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { renderError } from '@filmgate/kit/http/render-error'
import { type TestDatabase, testBucket, testDatabase, testLog } from '@filmgate/kit/testing'
import { KindLimitsSchema, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { UploadVerdict } from '@filmgate/proto/upload-verdict'
import { Elysia } from 'elysia'
import { createCpuBudget } from '../child/cpu-budget'
import { reasons } from '../errors'
import { createByteBudget } from '../fetching/byte-budget'
import { createGate, type Gate } from '../fetching/gate'
import { createNetwork } from '../fetching/network'
import { openWorkFolder, type WorkFolder } from '../fetching/work-folder'
import { h264, type Movies, openMovies, picture, tone } from '../testing/movies'
import { fetchAndJudge } from './fetch-and-judge'
import { createUploadGate, type JudgeUploadDeps, processorSecondsHourMax } from './judge-upload'
import { verdicts } from './routes'

const { store: uploads } = await testBucket()
const { store: elsewhere } = await testBucket()
let movies: Movies
let database: TestDatabase
let workFolder: WorkFolder
let deps: JudgeUploadDeps
beforeAll(async () => {
  movies = await openMovies()
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  workFolder = await openWorkFolder(movies.pathOf('work'))
  const wide = (): Gate => createGate({ slotsMax: 9, perAccountMax: 9, perHostMax: 9 })
  const policy = { forbiddenRanges: [], trustedOrigins: [] }
  deps = {
    ...{ sql: database.sql, tools: movies.tools, checker: 'v1', workFolder, taskCpuSecondsMax: 60, uploads },
    ...{ uploadGate: createUploadGate(2), gates: { download: wide(), measure: wide() } },
    fetching: { policy, network: createNetwork(undefined, []), fetchLimits: {}, uploads },
  }
})
afterAll(async () => {
  await Promise.all([movies.close(), database.drop(), workFolder.close()])
})
beforeEach(async () => {
  await database.sql`delete from verdict`
})

const limits = { formats: ['mp4', 'mov'], bytes_max: 52_428_800, width_min: 256, width_max: 5_760, seconds_min: 2, seconds_max: 15 }

/** Puts bytes into the bucket as an upload of the account. */
async function put(bytes: Uint8Array, account = 'a1'): Promise<string> {
  const key = `${account}/${crypto.randomUUID().replaceAll('-', '').slice(0, 22)}.mp4`
  await uploads.put(key, bytes, { contentType: 'video/mp4' })
  return key
}

async function ask(url: string, changes: object = {}): Promise<{ status: number; body: UploadVerdict }> {
  const app = new Elysia({ normalize: false }).use(renderError(testLog, reasons)).use(verdicts(deps))
  const body = JSON.stringify({ url, kind: 'video', limits, ...changes })
  const headers = { 'content-type': 'application/json' }
  const answer = await app.handle(new Request('http://media-probe/uploads/verdicts', { method: 'POST', headers, body }))
  return { status: answer.status, body: (await answer.json()) as UploadVerdict }
}

const film = () => movies.make('film.mp4', ...picture(3.4), ...tone(3.4), ...h264, '-movflags', '+faststart')

/** What a request that names the upload finds, and how many children that took. */
async function requested(key: string, declaredSeconds: number) {
  const spawns = spyOn(Bun, 'spawn')
  const folder = await workFolder.open(crypto.randomUUID())
  const ofCard = create(KindLimitsSchema, {
    ...{ kind: MediaKind.VIDEO, formats: limits.formats, bytesMax: 52_428_800n },
    ...{ widthMin: 256, widthMax: 5_760, secondsMin: 2, secondsMax: 15 },
  })
  const file = {
    accountId: 'a1',
    url: `https://uploads.filmgate.internal/${key}`,
    limits: ofCard,
    declaredSeconds,
    needsCopy: true,
    name: '0',
  }
  const run = { folder, budget: createByteBudget(0), cpu: createCpuBudget(60), signal: new AbortController().signal }
  const code = await fetchAndJudge(deps, { ...file, ...run }).then(
    () => 'taken',
    error => error.reason,
  )
  const commands = spawns.mock.calls.map(([command]) => String(command))
  spawns.mockRestore()
  await folder.remove()
  return { code, children: commands.length, decoded: commands.some(command => command.includes('showinfo')) }
}

test('a clip is measured when it is uploaded, and its request does not decode it again', async () => {
  const key = await put(await readFile(await film()))
  expect(await ask(await uploads.presignGet(key, 60))).toEqual({
    status: 200,
    body: { verdict: 'fits', width: 320, height: 256, seconds: 3.4, declared_seconds: 4 },
  })
  expect(await requested(key, 4)).toMatchObject({ code: 'taken', decoded: false })
  expect(workFolder.bytes()).toBe(0)
})

test('a damaged clip is refused when it is uploaded, and its request starts no child', async () => {
  const bytes = await readFile(await film())
  const key = await put(bytes.fill(0xff, Math.floor(bytes.length * 0.9)))
  const { body } = await ask(await uploads.presignGet(key, 60))
  expect(body).toMatchObject({
    verdict: 'rejected',
    code: 'media_corrupt',
    message: expect.stringMatching(/^The file is damaged .*: measured /),
  })
  expect(await requested(key, 4)).toEqual({ code: 'media_corrupt', children: 0, decoded: false })
})

test('the model’s limits decide, and what they are not is a fault of the question', async () => {
  const url = await uploads.presignGet(await put(await readFile(await film())), 60)
  const message = 'The length is outside the limits: measured 3.4 s, allowed 0–3 s.'
  expect((await ask(url, { limits: { formats: ['mp4'], seconds_max: 3 } })).body).toEqual({
    verdict: 'rejected',
    code: 'media_duration',
    message,
  })
  for (const wrong of [{ limits: { seconds_max: 'x' } }, { limits: { other: 1 } }, { kind: 'text' }])
    expect((await ask(url, wrong)).status).toBe(400)
})

test('nobody has an upload judged that they may not read', async () => {
  const bytes = await readFile(await film())
  const key = await put(bytes)
  await elsewhere.put(key, bytes, { contentType: 'video/mp4' })
  const url = await uploads.presignGet(key, 60)
  const other = await put(bytes, 'a2')
  const spawns = spyOn(Bun, 'spawn')
  const forged = {
    unsigned: url.replace(/\?.*/, ''),
    otherKey: url.replace(key, other),
    otherBucket: await elsewhere.presignGet(key, 60),
    otherHost: url.replace(/^http:\/\/[^/]+/, 'http://127.0.0.1:1'),
    noUpload: await uploads.presignGet('x', 60),
    noUrl: 'x',
  }
  const statuses = Object.fromEntries(
    await Promise.all(Object.entries(forged).map(async ([name, each]) => [name, (await ask(each)).status])),
  )
  expect(statuses).toEqual({ unsigned: 503, otherKey: 503, otherBucket: 404, otherHost: 404, noUpload: 404, noUrl: 404 })
  expect(spawns.mock.calls).toEqual([])
  spawns.mockRestore()
  expect(await database.sql`select * from verdict`).toHaveLength(0)
})

test('an account that took its processor time of an hour is judged when it makes a request', async () => {
  const url = await uploads.presignGet(await put(await readFile(await film())), 60)
  await database.sql`
    insert into verdict (account_id, sha256, checker, limits, finding, processor_seconds, expires_at)
    values ('a1', 'x', 'v1', 'y', '{}', ${processorSecondsHourMax}, now())`
  expect((await ask(url)).status).toBe(503)
  await database.sql`update verdict set judged_at = now() - interval '61 minutes'`
  expect((await ask(url)).status).toBe(200)
})
