import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromBinary } from '@bufbuild/protobuf'
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { claimJobs } from '@filmgate/kit/jobs/job-repository'
import { createObjectStore, type ObjectStore } from '@filmgate/kit/object-store'
import { createOutbox, type Outbox } from '@filmgate/kit/outbox/outbox'
import { servers, type TestDatabase, testBucket, testDatabase, testLog } from '@filmgate/kit/testing'
import { makeCertificate } from '@filmgate/kit/testing/certificate'
import { type MediaEvent, MediaEventSchema } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import { MediaKind, type Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { findTools } from '../child/find-tools'
import type { Tools } from '../child/tools'
import { createGate, type Gate } from '../fetching/gate'
import { createNetwork } from '../fetching/network'
import { openWorkFolder, type WorkFolder } from '../fetching/work-folder'
import { reserved, testOrder } from '../testing/orders'
import { type VerifyJob, type VerifyPayload, verifyKind } from './jobs'
import { receive } from './receive'
import { type VerifyDeps, verify } from './verify'

const certificate = makeCertificate({ names: ['localhost'] })
const host = Bun.serve({
  ...{ port: 0, hostname: '127.0.0.1', tls: certificate, idleTimeout: 0 },
  fetch({ url }) {
    if (url.endsWith('other-id.mp4')) return new Response(needsOtherId)
    const [name] = /[a-z]+\.(?:png|mp4)$/.exec(url) ?? []
    return new Response(name ? Bun.file(join(folder, name.endsWith('.png') ? 'a.png' : name)) : neverWhole())
  },
})
const origin = `https://localhost:${host.port}`

/** A film whose copy does not decode: the cleaner blanks the number that its decoder needs. */
const needsOtherId = readFileSync(join(import.meta.dir, '../testing/x264-core-148.mp4'))
needsOtherId.write('?', needsOtherId.indexOf('x264 - core') - 16)

/** A stream of the requested rate without an end. */
const neverWhole = () =>
  new ReadableStream({
    async pull(controller) {
      controller.enqueue(Buffer.from('\x89PNG\r\n\x1a\n'.padEnd(4_096), 'latin1'))
      await Bun.sleep(20)
    },
  })

let folder: string
let database: TestDatabase
let store: ObjectStore
let outbox: Outbox
let workFolder: WorkFolder
let tools: Tools
const published: MediaEvent[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-'))
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  store = (await testBucket()).store
  const publish = async (messages: { value: Uint8Array | null }[]) =>
    void published.push(...messages.map(({ value }) => fromBinary(MediaEventSchema, value ?? new Uint8Array())))
  outbox = createOutbox({ sql: database.sql, bus: { publish }, log: testLog })
  workFolder = await openWorkFolder(join(folder, 'work'))
  const found = await findTools({ ffprobe: 'ffprobe', ffmpeg: 'ffmpeg' }, workFolder.path, undefined)
  tools = { ...found, childLimits: { memoryBytesMax: 2 ** 30, cpuSecondsMax: 60 }, childDeadlineMs: 25_000, coresMax: 2 }
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x256', '-frames:v', '1', join(folder, 'a.png')]
  expect(await Bun.spawn(['ffmpeg', '-v', 'error', ...picture], { stdin: 'ignore', stderr: 'inherit' }).exited).toBe(0)
})
afterAll(async () => {
  await Promise.all([host.stop(true), outbox.stop(), workFolder.close()])
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** The part of the admission that is needed to start verifying. */
const handOverMs = 15_000
const wide = (): Gate => createGate({ slotsMax: 9, perAccountMax: 9, perHostMax: 9 })

const pictures = (paths: string[], leftMs: number) =>
  testOrder({
    inputs: paths.map((path, index) => ({ kind: MediaKind.IMAGE, field: 'image_urls', index, url: `${origin}/${path}` })),
    mediaLimits: { kinds: [{ kind: MediaKind.IMAGE, formats: ['png'], bytesMax: 50_000_000n }], totalBytesMax: 100_000_000n },
    admitBy: timestampFromDate(new Date(Date.now() + handOverMs + leftMs)),
  })

/** Receives an order, claims its job and runs it once; returns the event of its decision. */
async function decided(order: Order, download: Gate): Promise<MediaEvent['event'] | undefined> {
  await run(await claimed(order), { gates: { download, measure: wide(), copy: wide() } })
  return decisionOf(order)
}

async function claimed(order: Order): Promise<VerifyJob> {
  const { sql } = database
  await receive({ sql, outbox, topicPrefix: 'test', wake: () => undefined }, [reserved(order)])
  // A job of an earlier test may be due for its retry by now.
  const job = (await claimJobs<VerifyPayload>(sql, verifyKind, 'test', 60_000, 100)).find(({ id }) => id === order.taskId)
  if (!job) throw new Error('the job was not claimed')
  return job
}

async function run(job: VerifyJob, own: Partial<VerifyDeps>): Promise<void> {
  const policy = { forbiddenRanges: [], trustedOrigins: [{ origin, ca: certificate.cert }] }
  const network = createNetwork(undefined, [{ host: '127.0.0.1', port: host.port ?? 0 }])
  const deps = {
    ...{
      sql: database.sql,
      log: testLog,
      outbox,
      topicPrefix: 'test',
      now: () => new Date(),
      workFolder,
      store,
      tools,
      taskCpuSecondsMax: 60,
      checker: 'test',
    },
    ...{ gates: { download: wide(), measure: wide(), copy: wide() }, fetching: { policy, network, fetchLimits: {} } },
  }
  await verify({ ...deps, ...own }, job, new AbortController().signal)
}

const decisionOf = ({ taskId }: Order) => published.map(({ event }) => event).find(event => taskOf(event) === taskId)

const taskOf = (event: MediaEvent['event']) => (event.case === 'mediaVerified' ? event.value.order?.taskId : event.value?.taskId)

test('a timeout during a download is not reported as the client’s fault', async () => {
  const event = await decided(pictures(['endless'], 700), wide())
  expect(event).toMatchObject({ case: 'mediaRejected', value: { code: 'generation_unavailable', field: '', freesKey: true } })
})

test('a clean copy that decodes worse than the file ends the task at once as a fault of ours', async () => {
  const order = testOrder({
    inputs: [{ kind: MediaKind.VIDEO, field: 'reference_video_urls', url: `${origin}/other-id.mp4` }],
    mediaLimits: { kinds: [{ kind: MediaKind.VIDEO, formats: ['mp4'], bytesMax: 50_000_000n }], totalBytesMax: 100_000_000n },
    admitBy: timestampFromDate(new Date(Date.now() + handOverMs + 60_000)),
  })
  const event = await decided(order, wide())
  expect(event).toMatchObject({ case: 'mediaRejected', value: { code: 'generation_unavailable', field: '', freesKey: true } })
  expect(await readdir(workFolder.path)).toEqual([])
})

test('a task whose work ignores its signal is still decided when its admission ends', async () => {
  const deaf: Gate = { ...wide(), acquire: () => new Promise(() => undefined) }
  const event = await decided(pictures(['a.png'], 300), deaf)
  expect(event).toMatchObject({ case: 'mediaRejected', value: { code: 'generation_unavailable', field: '' } })
})

test('a file that waits for disk space starts as soon as another file of its task is removed', async () => {
  const empty = createGate({ slotsMax: 1, perAccountMax: 1, perHostMax: 1, canGrant: () => workFolder.bytes() === 0 })
  expect(await decided(pictures(['a.png', 'b.png'], 30_000), empty)).toMatchObject({ case: 'mediaVerified' })
})

test('reported values are the stored copy’s, and no file is left on disk', async () => {
  const event = await decided(pictures(['a.png'], 30_000), wide())
  if (event?.case !== 'mediaVerified') throw new Error('the picture was refused')
  const [verified] = event.value.media
  const answer = await fetch(await store.presignGet(verified?.objectKey ?? '', 60))
  const stored = Buffer.from(await answer.arrayBuffer())
  const sha256 = createHash('sha256').update(stored).digest('hex')
  expect(verified).toMatchObject({ bytes: BigInt(stored.length), sha256 })
  expect(stored.equals(await readFile(join(folder, 'a.png')))).toBe(false)
  expect([workFolder.bytes(), await readdir(workFolder.path)]).toEqual([0, []])
})

/** Two requests with the same film, damaged in its last tenth. */
test('a damaged film costs its processor time once, and its second request none', async () => {
  const path = join(folder, 'damaged.mp4')
  const film = ['-f', 'lavfi', '-t', '3', '-i', 'testsrc2=size=320x256:rate=30', '-pix_fmt', 'yuv420p', '-movflags', '+faststart', path]
  expect(await Bun.spawn(['ffmpeg', '-v', 'error', ...film], { stdin: 'ignore', stderr: 'inherit' }).exited).toBe(0)
  const bytes = await readFile(path)
  await writeFile(path, bytes.fill(0xff, Math.floor(bytes.length * 0.9)))
  const order = () =>
    testOrder({
      accountId: 'acct-films',
      inputs: [{ kind: MediaKind.VIDEO, field: 'reference_video_urls', url: `${origin}/damaged.mp4`, declaredSeconds: 3 }],
      mediaLimits: { kinds: [{ kind: MediaKind.VIDEO, formats: ['mp4'], secondsMax: 15 }] },
      admitBy: timestampFromDate(new Date(Date.now() + handOverMs + 60_000)),
    })
  const first = await decided(order(), wide())
  if (first?.case !== 'mediaRejected') throw new Error('the film was taken')
  expect(first.value).toMatchObject({ code: 'media_corrupt' })
  expect(first.value.processorSeconds).toBeGreaterThan(0)
  const spawns = spyOn(Bun, 'spawn')
  const second = await decided(order(), wide())
  expect(spawns.mock.calls).toEqual([])
  spawns.mockRestore()
  const { taskId, at, ...same } = first.value
  expect(second).toMatchObject({ case: 'mediaRejected', value: { ...same, processorSeconds: 0 } })
})

const ours = { case: 'mediaRejected', value: { code: 'generation_unavailable', freesKey: true } }
const runsMax = 10

test('a store outage is retried until the admission ends, in any number of runs', async () => {
  const gone = createObjectStore({ ...servers.s3, endpoint: 'http://127.0.0.1:1', bucket: 'inputs' })
  const order = pictures(['a.png'], 60_000)
  const job = await claimed(order)
  await run({ ...job, tries: runsMax + 1, payload: { ...job.payload, ownFaults: runsMax } }, { store: gone })
  expect(decisionOf(order)).toBeUndefined()
  const [row] =
    await database.sql`select payload->'ownFaults' as faults, owner from job where kind = ${verifyKind} and id = ${order.taskId}`
  expect(row).toEqual({ faults: runsMax + 1, owner: null })
})

test('after our own fault the next run is due before the admission ends, so that the client gets a decision', async () => {
  const gone = createObjectStore({ ...servers.s3, endpoint: 'http://127.0.0.1:1', bucket: 'inputs' })
  const order = pictures(['a.png'], 4_000)
  await run({ ...(await claimed(order)), tries: 9 }, { store: gone })
  const [row] = await database.sql<{ runAt: Date }[]>`select run_at as "runAt" from job where kind = ${verifyKind} and id = ${order.taskId}`
  expect(row?.runAt.getTime()).toBeLessThan(timestampDate(order.admitBy ?? expect.unreachable()).getTime() - handOverMs + 500)
})

test('unknown failures are given up after ten runs', async () => {
  const order = pictures(['a.png'], 60_000)
  const job = await claimed(order)
  await run({ ...job, tries: runsMax + 1 }, {})
  expect(decisionOf(order)).toMatchObject(ours)
})

const uploaded = (accountId: string, owner: string, name: string) =>
  testOrder({
    accountId,
    inputs: [{ kind: MediaKind.IMAGE, field: 'image_url', url: `https://uploads.filmgate.internal/${owner}/${name}` }],
    mediaLimits: { kinds: [{ kind: MediaKind.IMAGE, formats: ['png'], bytesMax: 100_000n }], totalBytesMax: 100_000_000n },
    admitBy: timestampFromDate(new Date(Date.now() + handOverMs + 30_000)),
  })

/** `decided` for an uploaded input; without `uploads` there is no bucket. */
async function decidedUpload(order: Order, uploads: ObjectStore | undefined): Promise<MediaEvent['event'] | undefined> {
  const job = await claimed(order)
  const network = createNetwork(undefined, [])
  await run(job, { fetching: { policy: { forbiddenRanges: [], trustedOrigins: [] }, network, fetchLimits: {}, uploads } })
  return decisionOf(order)
}

test('an upload is readable only for its own account', async () => {
  const uploads = (await testBucket()).store
  const name = `${'u'.repeat(22)}.png`
  await uploads.put(`acct-1/${name}`, await readFile(join(folder, 'a.png')), { contentType: 'image/png' })
  expect(await decidedUpload(uploaded('acct-1', 'acct-1', name), uploads)).toMatchObject({ case: 'mediaVerified' })
  const forbidden = { case: 'mediaRejected', value: { code: 'media_forbidden_address', field: 'image_url' } }
  expect(await decidedUpload(uploaded('acct-2', 'acct-1', name), uploads)).toMatchObject(forbidden)
  expect(await decidedUpload(uploaded('acct-1', 'acct-1', name), undefined)).toMatchObject(forbidden)
  for (const odd of [`../acct-1/${name}`, `${name}?a=1`, `%75${name.slice(1)}`, 'short.png'])
    expect({ odd, event: await decidedUpload(uploaded('acct-2', 'acct-2', odd), uploads) }).toMatchObject({ event: forbidden })
})

test('uploads have the same limits as other inputs, and a deleted upload is rejected', async () => {
  const uploads = (await testBucket()).store
  const [large, absent] = [`${'l'.repeat(22)}.png`, `${'a'.repeat(22)}.png`]
  await uploads.put(`acct-1/${large}`, Buffer.from('\x89PNG\r\n\x1a\n'.padEnd(100_001), 'latin1'), { contentType: 'image/png' })
  const rejected = (code: string) => ({ case: 'mediaRejected', value: { code, field: 'image_url' } })
  expect(await decidedUpload(uploaded('acct-1', 'acct-1', large), uploads)).toMatchObject(rejected('media_too_large'))
  expect(await decidedUpload(uploaded('acct-1', 'acct-1', absent), uploads)).toMatchObject(rejected('media_unreachable'))
  const gone = createObjectStore({ ...servers.s3, endpoint: 'http://127.0.0.1:1', bucket: 'uploads' })
  expect(await decidedUpload(uploaded('acct-1', 'acct-1', absent), gone)).toBeUndefined()
})
