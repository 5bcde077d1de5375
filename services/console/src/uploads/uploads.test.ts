import { afterAll, expect, test } from 'bun:test'
import type { PresignedPut } from '@filmgate/kit/object-store'
import { servers, testBucket, testLog } from '@filmgate/kit/testing'
import type { UploadVerdict } from '@filmgate/proto/upload-verdict'
import { startTestConsole } from '../testing/console-and-gateway'
import { deleteUploads, uploadsKeptMs } from './delete-uploads'
import { createJudgeUpload, type JudgeUpload } from './judge-upload'
import { uploadRoomOf } from './presign-upload'

const { store, name } = await testBucket()
let clock = new Date('2026-11-20T10:15:00Z')
let verdict: UploadVerdict | undefined
const questions: unknown[] = []
const judgeUpload: JudgeUpload = async question => {
  questions.push(question)
  return verdict
}
const { ask, addMember, gateway, sql, stop } = await startTestConsole({ uploadStore: store, now: () => clock, judgeUpload })
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

test('an account has room for a day of uploads, and more with paid credits', async () => {
  await addMember('a3', 'mia', 'member')
  const film = { ...picture, bytes: String(30 * 1_048_576) }
  const full = () => ask('mia', '/accounts/a3/uploads', film, script)
  gateway.available = 99
  await sql`insert into upload_hour (account_id, hour, uploads, bytes) values
    ('a3', ${new Date('2026-11-20T10:00:00Z')}, 9, ${1_000 * 1_048_576}), ('a3', ${new Date('2026-11-19T11:00:00Z')}, 9, ${9_000 * 1_048_576})`
  const refused = await full()
  expect(refused.status).toBe(429)
  const message = 'This account has uploaded 1,000 of 1,024 MiB. Uploads are deleted after a day, and paid credits make more room.'
  expect(await refused.json()).toMatchObject({ error: { message } })
  gateway.available = 100
  expect(await Promise.all([full(), full(), full()]).then(answers => answers.map(({ status }) => status).sort())).toEqual([201, 201, 429])
  const room = { uploadRoomMebibytes: 1_024, uploadRoomPaidMebibytes: 64, uploadRoomMebibytesMax: 16_384 }
  expect([0, 99, 100, 23_900, 24_000, 1_000_000].map(paid => uploadRoomOf(room, paid) / 1_048_576)).toEqual([
    1_024, 1_024, 1_088, 16_320, 16_384, 16_384,
  ])
})

const clip = { model: 'alpha-h3', mode: 'media-to-video', kind: 'video' }
const ownClip = `https://uploads.filmgate.internal/a1/${'c'.repeat(22)}.mp4`
const judged = (form: Record<string, string> = {}, person = 'mia') =>
  ask(person, '/accounts/a1/uploads/verdicts', { ...clip, media_url: ownClip, ...form }, script)

test('what checking an uploaded file found is told at its field, in the model’s limits', async () => {
  verdict = { verdict: 'fits', width: 1_920, height: 1_080, seconds: 3.4033, declared_seconds: 4 }
  const answer = await judged()
  expect([answer.status, await answer.json()]).toEqual([200, { verdict: 'fits', facts: '1920 × 1080 px, 3.4 s', seconds: 4 }])
  expect(questions.at(-1)).toMatchObject({
    key: `a1/${'c'.repeat(22)}.mp4`,
    kind: 'video',
    limits: { formats: ['mp4', 'mov'], seconds_max: 15 },
  })
  verdict = { verdict: 'fits', width: 640, height: 480, seconds: 0, declared_seconds: 0 }
  expect(await (await judged()).json()).toEqual({ verdict: 'fits', facts: '640 × 480 px' })
  verdict = { verdict: 'rejected', code: 'media_corrupt', message: 'The file is damaged.' }
  expect(await (await judged()).json()).toEqual({ verdict: 'rejected', message: 'The file is damaged.' })
  verdict = undefined
  expect(await (await judged()).json()).toEqual({ verdict: 'unknown' })
})

test('nobody has another account’s upload judged, or one that is none', async () => {
  questions.length = 0
  expect((await judged({}, 'vera')).status).toBe(403)
  for (const media_url of [ownClip.replace('/a1/', '/a2/'), `${ownClip}?a=1`, 'https://example.com/a.mp4', ''])
    expect((await judged({ media_url })).status).toBe(404)
  expect((await judged({ kind: 'x' })).status).toBe(400)
  expect(questions).toEqual([])
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
  const question = { key: 'a1/x.png', kind: 'image' as const, limits: {} }
  expect(await judge(question)).toMatchObject({ verdict: 'fits' })
  expect(asked).toEqual([expect.objectContaining({ kind: 'image', url: expect.stringMatching(/\/a1\/x\.png\?.*X-Amz-Signature=/) })])
  for (const other of [() => new Response('', { status: 503 }), () => Response.json({ verdict: 'x' })]) {
    answer = other
    expect(await judge(question)).toBeUndefined()
  }
  await probe.stop(true)
  expect(await judge(question)).toBeUndefined()
})

test('uploads are deleted after a day and not before', async () => {
  await store.put('a9/one.png', bytes, { contentType: 'image/png' })
  const now = (ms: number) => () => new Date(Date.now() + ms)
  await deleteUploads({ uploadStore: store, now: now(uploadsKeptMs - 60_000) })
  expect(await store.head('a9/one.png')).toBeDefined()
  await deleteUploads({ uploadStore: store, now: now(uploadsKeptMs + 60_000) })
  expect(await store.list('')).toEqual([])
})
