import { expect, test } from 'bun:test'
import { renderError } from '@filmgate/kit/http/render-error'
import { servers, testBucket, testLog } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { reasons } from '../errors'
import type { Task } from '../tasks/task'
import { downloads } from './routes'
import { createSignDownload } from './sign-download'

const { store, name } = await testBucket()
await store.put('outputs/a.mp4', new Uint8Array([1, 2, 3]), { contentType: 'video/mp4', disposition: 'inline; filename="vt_a.mp4"' })
const outputBaseUrl = 'https://videos.example.com'
const outputs = { ...servers.s3, bucket: name, publicEndpoint: servers.s3.endpoint }
const completed = { id: 'vt_a', accountId: 'a1', phase: 'completed', billingStatus: 'settled', creditsRefunded: 0 }
const times = { createdAt: new Date(), updatedAt: new Date() }
const tasks = [
  { ...completed, ...times, videoUrl: `${outputBaseUrl}/outputs/a.mp4` },
  { ...completed, ...times, id: 'vt_b', phase: 'accepted', billingStatus: 'reserved', videoUrl: null },
] as unknown as Task[]

async function ask(path: string, accountId = 'a1', config: Parameters<typeof createSignDownload>[0] = { outputs, outputBaseUrl }) {
  const deps = {
    findCaller: async () => ({ accountId, keyId: 'k' }),
    takeToken: async () => ({ taken: true, left: 29, waitMs: 0 }),
    ...{ rateLimit: 30, addressRateLimit: 30, clientAddress: () => '192.0.2.1', giveAddressTokenBack() {} },
    takeAddressToken: () => ({ taken: true, left: 1, waitMs: 0 }),
    findShownTask: async (id: string, owner: string) => tasks.find(task => task.id === id && task.accountId === owner),
    signDownload: createSignDownload(config),
  } as unknown as Parameters<typeof downloads>[0]
  const app = new Elysia({ normalize: false }).use(renderError(testLog, reasons)).use(downloads(deps))
  const answer = await app.handle(new Request(`http://gateway${path}`, { headers: { authorization: 'Bearer sk_live_x' } }))
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('a download leads to a signed URL that is saved under the task’s name', async () => {
  const answer = await ask('/tasks/vt_a/download')
  expect([answer.status, answer.text, answer.headers.get('cache-control')]).toEqual([302, '', 'no-store'])
  const file = await fetch(answer.headers.get('location') ?? '')
  expect([file.status, file.headers.get('content-disposition')]).toEqual([200, 'attachment; filename="vt_a.mp4"'])
  expect(await file.bytes()).toEqual(new Uint8Array([1, 2, 3]))
})

test('without a bucket, or for a video elsewhere, it leads to the video’s own URL', async () => {
  for (const config of [
    { outputs: undefined, outputBaseUrl },
    { outputs, outputBaseUrl: 'https://other.example.com' },
    { outputs, outputBaseUrl: undefined },
  ])
    expect((await ask('/tasks/vt_a/download', 'a1', config)).headers.get('location')).toBe(`${outputBaseUrl}/outputs/a.mp4`)
})

test('another account’s task is answered byte for byte like none; one without a video says so', async () => {
  const unknown = await ask('/tasks/vt_none/download')
  const foreign = await ask('/tasks/vt_a/download', 'a2')
  expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  expect((await ask('/tasks/a%20b/download')).status).toBe(400)
  const early = await ask('/tasks/vt_b/download')
  expect([early.status, JSON.parse(early.text).error.code]).toEqual([409, 'no_video'])
})
