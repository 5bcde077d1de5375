import { afterAll, expect, test } from 'bun:test'
import type { UploadVerdict } from '@filmgate/proto/upload-verdict'
import { startTestConsole } from '../testing/console-and-gateway'
import { refusal } from '../testing/fake-gateway'

let verdict: UploadVerdict | undefined
const questions: unknown[] = []
const { ask, addMember, server: gateway, sql, stop } = await startTestConsole()
afterAll(stop)
await addMember('a1', 'mia', 'member')
await addMember('a1', 'vera', 'viewer')
gateway.on('POST /accounts/:account/uploads', ({ body }) => {
  const { type } = body as { type: string }
  return { put_url: 'https://store.example.com/1', put_headers: { 'content-type': type }, url: ownPicture }
})
gateway.on('POST /accounts/:account/uploads/verdicts', ({ body }) => {
  questions.push(body)
  return verdict ?? refusal(503, 'service_unavailable')
})

const script = { accept: 'application/json' }
const picture = { model: 'alpha-h3', mode: 'image-to-video', kind: 'image', type: 'image/png', bytes: '4' }
const upload = (form: Record<string, string>, person = 'mia') => ask(person, '/accounts/a1/uploads', form, script)
const ownPicture = `https://uploads.filmgate.internal/a1/${'p'.repeat(22)}.png`

test('a file that the model takes gets a signed PUT of the gateway, and the act is kept', async () => {
  const answer = await upload(picture)
  expect(answer.status).toBe(201)
  expect(await answer.json()).toEqual({
    put: { url: 'https://store.example.com/1', headers: { 'content-type': 'image/png' } },
    media_url: ownPicture,
  })
  expect(gateway.seen.at(-1)).toMatchObject({ person: 'mia', path: '/accounts/a1/uploads', body: { type: 'image/png', bytes: 4 } })
  const [act] = await sql`select person_id, act, subject from audit_act`
  expect(act).toEqual({ person_id: 'mia', act: 'upload.made', subject: `a1/${'p'.repeat(22)}.png` })
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

test('why the gateway refuses is told, and whether it answers at all', async () => {
  gateway.on('POST /accounts/:account/uploads', () => refusal(429, 'upload_limit', 'No more room.', { 'retry-after': '2700' }))
  const answer = await upload(picture)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2700'])
  expect(await answer.json()).toMatchObject({ error: { message: 'No more room.' } })
  gateway.on('POST /accounts/:account/uploads', () => refusal(503, 'service_unavailable'))
  expect((await upload(picture)).status).toBe(503)
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
    url: ownClip,
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
