import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes, randomUUID } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { claimJobs } from '@filmgate/kit/jobs/job-repository'
import type { ObjectStore } from '@filmgate/kit/object-store'
import { servers, type TestDatabase, testBucket, testDatabase, testLog } from '@filmgate/kit/testing'
import { PosterRequestSchema } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { openWorkFolder, type WorkFolder } from '../fetching/work-folder'
import { box } from '../testing/movie-boxes'
import { h264, type Movies, openMovies } from '../testing/movies'
import { ended } from '../testing/orders'
import { makePoster } from './make-poster'
import { type PosterPayload, planPosters, posterKind } from './plan-posters'

let database: TestDatabase
let bucket: string
let store: ObjectStore
let movies: Movies
let workFolder: WorkFolder
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  ;({ store, name: bucket } = await testBucket())
  movies = await openMovies()
  workFolder = await openWorkFolder(join(movies.folder, 'work'))
})
afterAll(async () => {
  await movies.close()
  await database.drop()
})

const film = (name: string, ...options: string[]) =>
  movies.make(name, '-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=24:duration=2', ...h264, ...options)

const storeOrigin = new URL(servers.s3.endpoint).origin
const making = () => ({
  sql: database.sql,
  log: testLog,
  workFolder,
  tools: movies.tools,
  now: () => new Date(),
  storeOrigin,
  postersMax: 1,
})

/** A completed task with this video in the store, as the dispatcher publishes it. */
async function completed(video: Buffer, changes: { videoUrl?: string; uploadUrl?: string } = {}) {
  const [taskId, videoKey, posterKey] = [`vt_${randomUUID()}`, `${randomUUID()}.mp4`, `posters/${randomUUID()}.jpg`]
  await store.put(videoKey, video, { contentType: 'video/mp4' })
  const upload = await store.presignPut(posterKey, 600, { contentType: 'image/jpeg', publicRead: true })
  const signed = { videoUrl: await store.presignGet(videoKey, 600), uploadUrl: upload.url, uploadHeaders: upload.headers }
  const event = ended(taskId, 'generationCompleted')
  if (event.event.event.case === 'generationCompleted') {
    event.event.event.value.bytes = BigInt(video.length)
    event.event.event.value.poster = create(PosterRequestSchema, { ...signed, until: timestampFromMs(Date.now() + 600_000), ...changes })
  }
  return { event, videoKey, posterKey }
}

const plan = (events: Awaited<ReturnType<typeof completed>>['event'][], postersMax = 1) =>
  planPosters({ sql: database.sql, postersMax, wake() {} }, events)

async function claimed() {
  const [job] = await claimJobs<PosterPayload>(database.sql, posterKind, 'test', 60_000, 1)
  if (!job) throw new Error('no poster is planned')
  return job
}

const left = () => database.sql<{ due: boolean }[]>`select run_at <= now() as due from job where kind = ${posterKind}`
const run = async () => makePoster(making(), await claimed(), new AbortController().signal)

test('a completed video gets one poster, however often its event arrives; no files are left', async () => {
  const { event, posterKey } = await completed(await readFile(await film('a.mp4')))
  await plan([event, event])
  await plan([event])
  expect(await left()).toHaveLength(1)
  await run()
  const answer = await fetch(`${servers.s3.endpoint}/${bucket}/${posterKey}`)
  expect([answer.status, answer.headers.get('content-type'), Buffer.from(await answer.bytes()).readUInt16BE(0)]).toEqual([
    200,
    'image/jpeg',
    0xffd8,
  ])
  expect(await left()).toHaveLength(0)
  expect([await readdir(workFolder.path), workFolder.bytes()]).toEqual([[], 0])
  await plan([event])
  await run()
  expect(await store.head(posterKey)).toBeDefined()
})

/** A video of this length, padded by an unknown box before its last one. */
async function padded(path: string, bytes: number): Promise<Buffer> {
  const whole = await readFile(path)
  const at = whole.lastIndexOf('moov') - 4
  const padding = box('free', randomBytes(bytes - whole.length - 8))
  const isLast = at + whole.readUInt32BE(at) === whole.length
  return isLast ? Buffer.concat([whole.subarray(0, at), padding, whole.subarray(at)]) : Buffer.concat([whole, padding])
}

test.each([
  ['at its end', []],
  ['at its beginning', ['-movflags', '+faststart']],
])('only the start and the end of a long video are read, with its header %s', async (_, options) => {
  const bytes = 60_000_000
  const { event, posterKey } = await completed(await padded(await film(`long-${options.length}.mp4`, ...options), bytes))
  await plan([event])
  const seen: unknown[] = []
  const watched = {
    ...workFolder,
    open: async (name: string) => {
      const folder = await workFolder.open(name)
      return {
        ...folder,
        remove: async () => {
          const { size, blocks } = await stat(join(folder.path, 'video'))
          seen.push({ size, kept: blocks * 512, counted: workFolder.bytes() })
          await folder.remove()
        },
      }
    },
  }
  await makePoster({ ...making(), workFolder: watched }, await claimed(), new AbortController().signal)
  expect(await store.head(posterKey)).toBeDefined()
  // Not counted: the download gate closes by bytes on disk, and must not wait for posters.
  expect(seen).toEqual([{ size: bytes, kept: expect.closeTo(20 * 1_048_576, -5), counted: 0 }])
})

test('an invalid or deleted video gets no poster', async () => {
  const page = await completed(Buffer.from('<!doctype html><title>Not a video</title>'))
  const gone = await completed(await readFile(await film('b.mp4')))
  await store.remove([gone.videoKey])
  await plan([page.event, gone.event])
  await run()
  await run()
  expect(await left()).toHaveLength(0)
  expect([await store.head(page.posterKey), await store.head(gone.posterKey)]).toEqual([undefined, undefined])
})

test('neither URL is requested unless it is of our own store', async () => {
  const asked: string[] = []
  const other = Bun.serve({
    port: 0,
    fetch: ({ url, method }) => {
      asked.push(`${method} ${url}`)
      return new Response('x')
    },
  })
  const video = await readFile(await film('c.mp4'))
  const [reads, writes] = [
    await completed(video, { videoUrl: `http://127.0.0.1:${other.port}/video.mp4` }),
    await completed(video, { uploadUrl: `http://127.0.0.1:${other.port}/poster.jpg` }),
  ]
  await plan([reads.event, writes.event])
  await run()
  await run()
  expect(asked).toEqual([])
  // Possibly a fault: retried, then given up.
  expect((await left()).map(({ due }) => due)).toEqual([false, false])
  await database.sql`update job set tries = 8, run_at = now() where kind = ${posterKind}`
  await run()
  await run()
  expect(await left()).toHaveLength(0)
  await other.stop(true)
})

test('a failing store delays a poster; with expired URLs there is none', async () => {
  const { event, posterKey } = await completed(await readFile(await film('d.mp4')))
  await plan([event])
  const job = await claimed()
  const signature = { ...job, payload: { ...job.payload, videoUrl: job.payload.videoUrl.replace(/Signature=..../, 'Signature=0000') } }
  await makePoster(making(), signature, new AbortController().signal)
  expect((await left()).map(({ due }) => due)).toEqual([false])
  await database.sql`update job set run_at = now() where kind = ${posterKind}`
  await makePoster({ ...making(), now: () => new Date(Date.now() + 700_000) }, await claimed(), new AbortController().signal)
  expect([(await left()).length, await store.head(posterKey)]).toEqual([0, undefined])
})

test('planned posters are given up once posters are disabled', async () => {
  const { event, posterKey } = await completed(await readFile(await film('f.mp4')))
  await plan([event])
  await makePoster({ ...making(), postersMax: 0 }, await claimed(), new AbortController().signal)
  expect([(await left()).length, await store.head(posterKey)]).toEqual([0, undefined])
})

test('no poster is planned if posters are disabled or not requested', async () => {
  const { event } = await completed(Buffer.alloc(1))
  await plan([event], 0)
  await plan([ended('vt_1', 'generationCompleted'), ended('vt_2', 'generationFailed')])
  expect(await left()).toHaveLength(0)
})
