import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Filmgate, type Progress } from './index.ts'
import { startGateway, video } from './testing/gateway.ts'

const folder = await mkdtemp(join(tmpdir(), 'filmgate-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const request = { model: 'alpha-h3', prompt: 'A paper boat', duration: 5 } as const
const clientOf = ({ url }: { url: string }) => new Filmgate({ apiKey: 'sk_live_test', baseUrl: url })

test('generate posts once with a key of its own, tells progress by events and saves the whole video', async () => {
  await using gateway = await startGateway()
  const path = join(folder, 'boat.mp4')
  const progress: Progress[] = []
  const created: unknown[] = []
  const made = await clientOf(gateway).generate(request, {
    saveTo: path,
    tags: { project: 'Frühling, 2' },
    cancelAfterSeconds: 600,
    onProgress: step => progress.push(step),
    onCreated: (task, { idempotencyKey }) => created.push([task.id, idempotencyKey]),
  })
  expect(made.task).toMatchObject({ id: 'vt_1', status: 'completed' })
  expect(made.url).toBe(`http://127.0.0.1:${gateway.port}/video.mp4`)
  expect(progress.map(({ phase, percent }) => [phase, percent])).toEqual([
    ['queued', undefined],
    ['generating', undefined],
    ['generating', 50],
    ['copying', undefined],
    ['settled', undefined],
  ])
  const [key] = gateway.tasks.keys()
  expect(created).toEqual([['vt_1', key]])
  const post = gateway.seen[0]
  expect(post?.headers).toMatchObject({ 'filmgate-tags': 'project=Fr%C3%BChling%2C%202', 'filmgate-cancel-after': '600' })
  expect(JSON.parse(post?.body ?? '')).toEqual(request)
  expect(gateway.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/v1/video/generations',
    'GET /api/v1/tasks/vt_1/events',
    'GET /api/v1/tasks/vt_1',
    'GET /video.mp4',
  ])
  expect(gateway.seen.map(({ headers }) => headers.authorization)).toEqual([...Array(3).fill('Bearer sk_live_test'), undefined])
  expect(await readFile(path)).toEqual(video)
  expect(await readdir(folder)).toEqual(['boat.mp4'])
})
