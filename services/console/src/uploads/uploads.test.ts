import { afterAll, expect, test } from 'bun:test'
import type { PresignedPut } from '@filmgate/kit/object-store'
import { servers, testBucket } from '@filmgate/kit/testing'
import { startTestConsole } from '../testing/console-and-gateway'
import { deleteUploads, uploadsKeptMs } from './delete-uploads'

const { store, name } = await testBucket()
let clock = new Date('2026-11-20T10:15:00Z')
const { ask, addMember, sql, stop } = await startTestConsole({ uploadStore: store, now: () => clock })
afterAll(stop)
await addMember('a1', 'mia', 'member')
await addMember('a1', 'vera', 'viewer')

const script = { accept: 'application/json' }
const picture = { model: 'alpha-h3', mode: 'image-to-video', kind: 'image', type: 'image/png', bytes: '4' }
const upload = (form: Record<string, string>, person = 'mia') => ask(person, '/accounts/a1/uploads', form, script)
const bytes = new Uint8Array([1, 2, 3, 4])

test('a file goes to the bucket under the account’s name, exactly as it was announced', async () => {
  const answer = await upload(picture)
  const { put, media_url } = (await answer.json()) as { put: PresignedPut; media_url: string }
  expect(answer.status).toBe(201)
  expect(media_url).toMatch(/^https:\/\/uploads\.filmgate\.internal\/a1\/[0-9A-Za-z]{22}\.png$/)
  const send = (body: Uint8Array<ArrayBuffer>, headers = put.headers) =>
    fetch(put.url, { method: 'PUT', headers, body }).then(({ status }) => status)
  expect(put.url).toStartWith(`${servers.s3.endpoint}/${name}/a1/`)
  expect(await send(new Uint8Array(5))).toBe(403)
  expect(await send(bytes, { 'content-type': 'text/html' })).toBe(403)
  expect(await send(bytes)).toBe(200)
  const key = media_url.slice('https://uploads.filmgate.internal/'.length)
  expect(await store.head(key)).toMatchObject({ bytes: 4 })
  const [act] = await sql`select person_id, act, subject from audit_act`
  expect(act).toEqual({ person_id: 'mia', act: 'upload.made', subject: key })
})

test('what the model does not take, or not of this size, is refused with words', async () => {
  const words = async (form: Record<string, string>) => {
    const answer = await upload({ ...picture, ...form })
    return [answer.status, ((await answer.json()) as { error: { message: string } }).error.message]
  }
  expect(await words({ type: 'image/gif' })).toEqual([400, 'This model accepts JPEG, PNG or WebP here.'])
  expect(await words({ bytes: '31457281' })).toEqual([400, 'This model accepts at most 30 MiB here.'])
  expect(await words({ bytes: '0' })).toEqual([400, 'The file is empty.'])
  const unknown = [
    ['mode', 'text-to-video'],
    ['model', 'x'],
    ['kind', 'total_bytes_max'],
    ['kind', '__proto__'],
    ['mode', '__proto__'],
  ] as const
  for (const [field, value] of unknown) expect(await words({ [field]: value })).toEqual([400, 'This model does not accept such a file.'])
})

test('who may not make videos may not upload', async () => {
  expect((await upload(picture, 'vera')).status).toBe(403)
  expect((await upload(picture, 'stranger')).status).toBe(404)
})

test('an account uploads so many files an hour, also at one moment, and again in the next', async () => {
  await addMember('a2', 'mia', 'member')
  const many = () => Promise.all(Array.from({ length: 130 }, () => ask('mia', '/accounts/a2/uploads', picture, script)))
  const answers = await many()
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(120)
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(10)
  expect(refused[0]?.headers.get('retry-after')).toBe('2700')
  clock = new Date('2026-11-20T11:00:00Z')
  expect((await ask('mia', '/accounts/a2/uploads', picture, script)).status).toBe(201)
})

test('uploads are deleted after a day and not before', async () => {
  await store.put('a9/one.png', bytes, { contentType: 'image/png' })
  const now = (ms: number) => () => new Date(Date.now() + ms)
  await deleteUploads({ uploadStore: store, now: now(uploadsKeptMs - 60_000) })
  expect(await store.head('a9/one.png')).toBeDefined()
  await deleteUploads({ uploadStore: store, now: now(uploadsKeptMs + 60_000) })
  expect(await store.list('')).toEqual([])
})
