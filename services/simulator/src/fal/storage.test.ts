import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testKey } from '../testing/client'
import { startTestSimulator } from '../testing/simulator'
import { openFalStorage } from './storage'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

const asked = { content_type: 'image/png', file_name: 'lake 1.png' }

const initiate = (body: unknown = asked, { query = '?storage_type=fal-cdn-v3', key = `Key ${testKey}`, lifecycle = '{}' } = {}) =>
  fetch(`${simulator.origin}/fal/storage/upload/initiate${query}`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json', 'x-fal-object-lifecycle': lifecycle },
    body: JSON.stringify(body),
  })
const places = async () => (await (await initiate()).json()) as { upload_url: string; file_url: string }
const put = (url: string, body: string | ReadableStream = 'bytes', headers: Record<string, string> = { 'content-type': 'image/png' }) =>
  fetch(url, { method: 'PUT', headers, body })

/** Nobody knows how many bytes this is before its end. */
const unmeasured = () =>
  new ReadableStream({
    async start(controller) {
      for (const letter of 'bytes') {
        controller.enqueue(new TextEncoder().encode(letter))
        await Bun.sleep(1)
      }
      controller.close()
    },
  })

test('a file is there for everybody once its bytes were put where they were asked for, and not before', async () => {
  const { upload_url, file_url } = await places()
  expect(file_url).toMatch(/\/fal\/storage\/files\/[0-9a-f-]{36}\/lake%201\.png$/)
  expect((await fetch(file_url)).status).toBe(404)
  expect((await put(upload_url)).status).toBe(200)
  const file = await fetch(file_url)
  expect([file.status, file.headers.get('content-type'), await file.text()]).toEqual([200, 'image/png', 'bytes'])
  expect((await fetch(file_url.replace('lake', 'sea'))).status).toBe(404)
})

test('a place is given to the key’s owner alone, for what is asked for in fal’s words and no others', async () => {
  expect((await initiate(asked, { key: `Bearer ${testKey}` })).status).toBe(401)
  for (const query of ['', '?storage_type=gcs', '?storage_type=fal-cdn-v3&more=1'])
    expect((await initiate(asked, { query })).status).toBe(422)
  for (const body of [{}, { content_type: 'image/png' }, { ...asked, more: 1 }, { ...asked, file_name: 'a/b' }, [], 'text'])
    expect((await initiate(body)).status).toBe(422)
  for (const lifecycle of ['{', '7', '{"expires":1}', '{"expiration_duration_seconds":"60"}'])
    expect((await initiate(asked, { lifecycle })).status).toBe(422)
  expect((await initiate(asked, { lifecycle: '{"expiration_duration_seconds":60}' })).status).toBe(200)
})

test('bytes need the address they were given, the type that was said, and a length', async () => {
  const { upload_url, file_url } = await places()
  expect((await put(upload_url.replace(/\?.*/, ''))).status).toBe(403)
  expect((await put(upload_url.replace(/[0-9a-f]{8}-/, '00000000-'))).status).toBe(403)
  expect((await put(upload_url, 'bytes', { 'content-type': 'video/mp4' })).status).toBe(403)
  expect((await put(upload_url, unmeasured())).status).toBe(411)
  expect((await fetch(file_url)).status).toBe(404)
})

test('a file outlives a restart, ends when it was said to, or with the simulator’s retention, and leaves nothing', () => {
  const dir = mkdtempSync(join(tmpdir(), 'filmgate-fal-files-'))
  let now = 0
  const open = () => openFalStorage({ dir, now: () => now, keptMsMax: 100_000 })
  const file = { contentType: 'image/png', name: 'a.png' }
  const short = open().open({ ...file, keptSeconds: 60 })
  const long = open().open({ ...file, keptSeconds: undefined })
  // As an upload that broke off leaves it.
  writeFileSync(join(dir, `${short}.part`), 'byt')
  now = 59_999
  expect([open().find(short)?.name, open().find('../a'), open().find(crypto.randomUUID())]).toEqual(['a.png', undefined, undefined])
  now = 60_000
  open().sweep()
  expect([open().find(short), open().find(long)?.name]).toEqual([undefined, 'a.png'])
  now = 100_000
  open().sweep()
  expect(readdirSync(dir)).toEqual([])
})
