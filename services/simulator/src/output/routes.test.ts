import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Behaviour, RuleRequest } from '../behaviour/behaviour'
import type { GenerationRequest } from '../generation/generation'
import { probe, streamsOf } from '../testing/media'
import { startTestSimulator, testRequest } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

/** The address of a finished output with such a fault. */
async function lyingOutput(...behaviours: RuleRequest['behaviours']): Promise<string> {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'instant' }, ...behaviours])
  const { body } = await simulator.submit(request)
  return (await simulator.until(body.id, 'succeeded')).output_url ?? ''
}

test('an honest output is a video, fetched without a key', async () => {
  const answer = await fetch(await lyingOutput())
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  expect(Buffer.from(await answer.bytes()).toString('latin1', 4, 8)).toBe('ftyp')
})

const made = [
  ['ready-made', [{ name: 'instant' }]],
  ['rendered', []],
] as const

/** The address of a finished output of such a request, delivered like this. */
async function deliver(request: Partial<GenerationRequest>, behaviours: RuleRequest['behaviours']): Promise<string> {
  const asked = testRequest(request)
  await simulator.behave(asked, behaviours)
  const { body } = await simulator.submit(asked)
  return (await simulator.until(body.id, 'succeeded')).output_url ?? ''
}

async function shapeOf(address: string) {
  const { frames: _, ...shape } = await probe(address)
  return { ...shape, seconds: Math.round(shape.seconds) }
}

test.each(made)('deliver_…: less than was asked for, %s', async (_, how) => {
  const shape = async (behaviour: Behaviour) =>
    shapeOf(await deliver({ duration_seconds: 3, resolution: '720p', generate_audio: true }, [...how, behaviour]))
  const whole = { seconds: 3, width: 1280, height: 720, video: 'h264', audio: 'aac' }
  expect(await shape({ name: 'no_callback' })).toEqual(whole)
  expect(await shape({ name: 'deliver_shorter' })).toEqual({ ...whole, seconds: 1 })
  expect(await shape({ name: 'deliver_smaller' })).toEqual({ ...whole, width: 320, height: 180 })
  expect(await shape({ name: 'deliver_smaller', resolution: '480p' })).toEqual({ ...whole, width: 854, height: 480 })
  expect(await shape({ name: 'deliver_silent' })).toEqual({ ...whole, audio: null })
  expect(await shape({ name: 'deliver_audio_only' })).toMatchObject({ seconds: 3, video: null, audio: 'aac' })
})

test.each(made)('deliver_…: more than was asked for, or other tracks, %s', async (_, how) => {
  const output = (behaviour: Behaviour) => deliver({ resolution: '360p', generate_audio: true }, [...how, behaviour])
  const whole = { seconds: 1, width: 640, height: 360, video: 'h264', audio: 'aac' }
  expect(await shapeOf(await output({ name: 'deliver_longer' }))).toEqual({ ...whole, seconds: 6 })
  expect(await shapeOf(await output({ name: 'deliver_longer', more_seconds: 2 }))).toEqual({ ...whole, seconds: 3 })
  expect(await streamsOf(await output({ name: 'deliver_hevc' }))).toEqual(['hevc 640x360 yuv420p10le', 'aac'])
  const film = 'h264 640x360 yuv420p'
  expect(await streamsOf(await output({ name: 'deliver_two_tracks' }))).toEqual([film, 'h264 320x180 yuv420p', 'aac'])
  expect(await streamsOf(await output({ name: 'deliver_two_tracks', of: 'sound' }))).toEqual([film, 'aac', 'aac'])
})

test('output_404: the address leads nowhere, as does an unknown or unfinished one', async () => {
  expect((await fetch(await lyingOutput({ name: 'output_404' }))).status).toBe(404)
  expect((await fetch(`${simulator.origin}/outputs/sim_unknown.mp4`)).status).toBe(404)
  const request = testRequest()
  await simulator.behave(request, [{ name: 'never_finishes' }])
  const { body } = await simulator.submit(request)
  expect((await fetch(`${simulator.origin}/outputs/${body.id}.mp4`)).status).toBe(404)
})

test('output_redirect: to a private address unless told otherwise', async () => {
  const address = await lyingOutput({ name: 'output_redirect' })
  const answer = await fetch(address, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'http://169.254.169.254/latest/meta-data/'])
  const elsewhere = await fetch(await lyingOutput({ name: 'output_redirect', to: 'http://10.0.0.1/' }), { redirect: 'manual' })
  expect(elsewhere.headers.get('location')).toBe('http://10.0.0.1/')
})

test('output_truncated: broken off half-way, or ended half-way as if that were all', async () => {
  const whole = (await (await fetch(await lyingOutput())).bytes()).length
  const cut = await fetch(await lyingOutput({ name: 'output_truncated' }))
  await expect(cut.bytes()).rejects.toThrow()
  const clean = await fetch(await lyingOutput({ name: 'output_truncated', clean: true }))
  expect((await clean.bytes()).length).toBe(Math.floor(whole / 2))
})

test('output_wrong_type: a page where a video should be, whatever it is called', async () => {
  const plain = await fetch(await lyingOutput({ name: 'output_wrong_type' }))
  const disguised = await fetch(await lyingOutput({ name: 'output_wrong_type', content_type: 'video/mp4' }))
  expect([plain.headers.get('content-type'), disguised.headers.get('content-type')]).toEqual(['text/html', 'video/mp4'])
  expect(await disguised.text()).toStartWith('<!doctype html>')
})

test('output_empty: a video without a byte', async () => {
  const answer = await fetch(await lyingOutput({ name: 'output_empty' }))
  const { status, headers } = answer
  expect([status, headers.get('content-type'), headers.get('content-length')]).toEqual([200, 'video/mp4', '0'])
  expect((await answer.bytes()).length).toBe(0)
})

test('output_endless: longer than any video, until the reader hangs up', async () => {
  const answer = await fetch(await lyingOutput({ name: 'output_endless' }))
  const reader = answer.body?.getReader()
  let bytes = 0
  while (bytes < 2_000_000) bytes += (await reader?.read())?.value?.length ?? 2_000_000
  await reader?.cancel()
  expect(answer.headers.get('content-length')).toBeNull()
})

test('output_status: so many answers of that status, then the video', async () => {
  const address = await lyingOutput({ name: 'output_status', status: 503, times: 2 })
  const statuses = [await fetch(address), await fetch(address), await fetch(address)].map(({ status }) => status)
  expect(statuses).toEqual([503, 503, 200])
})

test('output_stalls: half of it, and then nothing while the connection stays', async () => {
  const answer = await fetch(await lyingOutput({ name: 'output_stalls' }))
  const reader = answer.body?.getReader()
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0)
  const more = await Promise.race([reader?.read(), Bun.sleep(300).then(() => 'nothing')])
  expect(more).toBe('nothing')
  await reader?.cancel()
})

test('output_elsewhere: the address is at another origin until its time is over', async () => {
  const origin = 'https://no-such-host.invalid'
  expect(await lyingOutput({ name: 'output_elsewhere', origin })).toStartWith(`${origin}/outputs/sim_`)
  expect(await lyingOutput({ name: 'output_elsewhere', origin, delay_ms: 0 })).toStartWith(`${simulator.origin}/outputs/sim_`)
})

test('output_expired: an address that was told too early is refused for ever, a later one is good', async () => {
  const first = await lyingOutput({ name: 'output_expired', times: 1 })
  const again = (await simulator.read(first.match(/sim_\w+/)?.[0] ?? '')).output_url ?? ''
  const statuses = [await fetch(first), await fetch(again), await fetch(first)].map(({ status }) => status)
  expect([statuses, again === first]).toEqual([[403, 200, 403], false])
})

test('output_truncated within a box: up to its middle', async () => {
  const whole = Buffer.from(await (await fetch(await lyingOutput())).bytes())
  for (const within of ['moov', 'mdat'] as const) {
    const cut = Buffer.from(await (await fetch(await lyingOutput({ name: 'output_truncated', clean: true, within }))).bytes())
    const at = whole.indexOf(within) - 4
    expect(cut.length).toBe(at + Math.floor(whole.readUInt32BE(at) / 2))
  }
})

test('output_wrong_type: a film or a picture of another kind', async () => {
  const start = async (is: 'webm' | 'png') =>
    (await (await fetch(await lyingOutput({ name: 'output_wrong_type', is }))).bytes()).toHex().slice(0, 8)
  expect([await start('webm'), await start('png')]).toEqual(['1a45dfa3', '89504e47'])
})

test('output_large: the same video, as long as was asked', async () => {
  const answer = await fetch(await lyingOutput({ name: 'output_large', bytes: 5_000_000 }))
  const bytes = Buffer.from(await answer.bytes())
  expect([answer.headers.get('content-length'), bytes.length, bytes.toString('latin1', 4, 8)]).toEqual(['5000000', 5_000_000, 'ftyp'])
})
