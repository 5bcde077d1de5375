import { afterAll, afterEach, beforeAll, expect, spyOn, test } from 'bun:test'
import { copyFile, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { Failure } from '@filmgate/kit/failure'
import { type TestDatabase, testDatabase } from '@filmgate/kit/testing'
import { KindLimitsSchema, MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { type CpuBudget, createCpuBudget } from '../child/cpu-budget'
import type { SourceFile } from '../child/source-file'
import { h264, type Movies, movieLimits, openMovies, picture, tone } from '../testing/movies'
import { checkerVersion } from './checker-version'
import { judge } from './judge'
import { deleteExpiredVerdicts } from './verdict-repository'

let movies: Movies
let database: TestDatabase
let good: string
let damaged: string
beforeAll(async () => {
  movies = await openMovies()
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  good = await movies.make('good.mp4', ...picture(), ...tone(), ...h264, '-movflags', '+faststart')
  const bytes = await readFile(good)
  // Nothing but the last tenth is damaged, so that only decoding finds it.
  bytes.fill(0xff, Math.floor(bytes.length * 0.9))
  damaged = movies.pathOf('damaged.mp4')
  await writeFile(damaged, bytes)
})
afterAll(async () => {
  spawns.mockRestore()
  await movies.close()
  await database.drop()
})

const spawns = spyOn(Bun, 'spawn')
afterEach(async () => {
  await database.sql`delete from verdict`
})

type Own = Partial<Omit<SourceFile, 'cpu'>> & { accountId?: string; checker?: string; cpu?: CpuBudget }

/** Judges a copy of a file as a task does. Returns what came of it, and the programs' arguments that it took. */
async function judged(path: string, { accountId = 'a1', checker = 'v1', cpu = createCpuBudget(60), ...own }: Own = {}) {
  const folder = await mkdtemp(join(movies.folder, 'task-'))
  await copyFile(path, join(folder, '0'))
  const source = {
    ...{ path: join(folder, '0'), copyPath: join(folder, '0.copy'), folder, format: 'mp4' as const, kind: MediaKind.VIDEO },
    ...{ limits: movieLimits, declaredSeconds: 0, signal: new AbortController().signal, cpu },
    ...own,
  }
  spawns.mockClear()
  const outcome = await judge({ sql: database.sql, tools: movies.tools, checker }, { accountId, source, needsCopy: true }).catch(error => {
    if (!(error instanceof Failure)) throw error
    return { refused: error.reason, ...error.options.details }
  })
  const commands = spawns.mock.calls.map(([command]) => String(command))
  return { outcome, children: commands.length, decoded: commands.some(command => command.includes('showinfo')), copy: source.copyPath }
}

test('a damaged film costs its processor time once: its second check starts no child and finds the same', async () => {
  const first = await judged(damaged)
  expect(first).toMatchObject({ outcome: { refused: 'media_corrupt' }, decoded: true })
  const second = await judged(damaged)
  expect(second).toMatchObject({ outcome: first.outcome, children: 0 })
  const [row] = await database.sql`select round(extract(epoch from expires_at - judged_at))::int as seconds from verdict`
  expect(row).toEqual({ seconds: 3_600 })
  const otherLimits = create(KindLimitsSchema, { ...movieLimits, secondsMax: 30 })
  expect(await judged(damaged, { limits: otherLimits, declaredSeconds: 9 })).toMatchObject({ outcome: first.outcome, children: 0 })
})

test('a good film is copied again and not decoded again, and the copy is the one that was measured', async () => {
  const first = await judged(good)
  const second = await judged(good, { declaredSeconds: 3 })
  expect(second).toMatchObject({ outcome: { format: 'mp4', width: 320, height: 256, seconds: 3 }, decoded: false })
  expect(second.outcome).toEqual(first.outcome)
  expect(await Bun.file(second.copy).bytes()).toEqual(await Bun.file(first.copy).bytes())
})

test('a copy that comes out otherwise is decoded', async () => {
  await judged(good)
  await database.sql`update verdict set finding = jsonb_set(finding, '{copySha256}', '"another"')`
  expect(await judged(good)).toMatchObject({ outcome: { seconds: 3 }, decoded: true })
})

test('another account, another version of the checker, other limits and an expired verdict are no reason to skip the check', async () => {
  await judged(good)
  const narrow = create(KindLimitsSchema, { ...movieLimits, widthMax: 300 })
  expect(await judged(good, { limits: narrow })).toMatchObject({ outcome: { refused: 'media_dimensions' } })
  expect(await judged(good)).toMatchObject({ decoded: false })
  expect(await judged(good, { declaredSeconds: 4 })).toMatchObject({ outcome: { refused: 'media_duration_mismatch' } })
  for (const own of [{ accountId: 'a2' }, { checker: 'v2' }]) expect(await judged(good, own)).toMatchObject({ decoded: true })
  await database.sql`update verdict set expires_at = now() - interval '1 second'`
  expect(await judged(good)).toMatchObject({ decoded: true })
  expect(await deleteExpiredVerdicts(database.sql, 100)).toBe(0)
  await database.sql`update verdict set expires_at = now() - interval '1 hour'`
  expect(await deleteExpiredVerdicts(database.sql, 100)).toBe(4)
})

test('a file that lacked the processor time of its task’s other files is not remembered as too large', async () => {
  const spent = createCpuBudget(10)
  spent.take(10)
  expect(await judged(good, { cpu: spent })).toMatchObject({ outcome: { refused: 'media_too_large' } })
  expect(await judged(good)).toMatchObject({ outcome: { seconds: 3 } })
})

test('a picture that is refused before it is decoded counts its processor time too, and once', async () => {
  const path = await movies.make('cut.png', '-f', 'lavfi', '-i', 'testsrc2=size=2000x2000', '-frames:v', '1')
  const bytes = await readFile(path)
  await writeFile(path, Buffer.concat([bytes.subarray(0, -2_000), bytes.subarray(-12)]))
  const own = { format: 'png', kind: MediaKind.IMAGE, limits: create(KindLimitsSchema, { kind: MediaKind.IMAGE }) } as const
  const [first, second] = [createCpuBudget(60), createCpuBudget(60)]
  expect(await judged(path, { ...own, cpu: first })).toMatchObject({ outcome: { refused: 'media_corrupt' }, children: 0 })
  expect(first.secondsLeft()).toBeLessThan(60)
  expect(await judged(path, { ...own, cpu: second })).toMatchObject({ outcome: { refused: 'media_corrupt' }, children: 0 })
  expect(second.secondsLeft()).toBe(60)
})

test('the checker’s version is of the code that checks and of its tools', async () => {
  const found = { ffmpegVersion: '5.1', ffprobeVersion: '5.1' }
  const version = await checkerVersion(found)
  expect(await checkerVersion(found)).toBe(version)
  expect(await checkerVersion({ ...found, ffmpegVersion: '7.0' })).not.toBe(version)
  const code = movies.pathOf('code.ts')
  await writeFile(code, 'one')
  const one = await checkerVersion(found, [code])
  await writeFile(code, 'two')
  expect(await checkerVersion(found, [code])).not.toBe(one)
})
