import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { readRoutes } from '../../routing/read-routes'
import { createRouting } from '../../routing/routing'
import { newAttemptId } from '../../testing/attempt-id'
import { orangeSquare } from '../../testing/orange-square'
import type { OwnProcess } from '../../testing/own-process'
import { type Behaviour, behave, simulatorKey, startSimulator, submitsOf } from '../../testing/test-system'
import { ProviderTrouble } from '../call'
import type { Connector, HandedMedia, PollAnswer } from '../connector'
import { generating } from '../words/running'
import { wordFor } from '../words/words'
import { connectGoogle } from './connect-google'

setDefaultTimeout(60_000)

const bounds = { submitTimeoutMs: 3_000, readTimeoutMs: 5_000, uploadTimeoutMs: 2_000 }
let simulator: OwnProcess
let dataDir: string
let provider: Connector
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'filmgate-google-test-'))
  simulator = await startSimulator(dataDir)
  provider = connectGoogle({ url: `${simulator.url}/google/v1beta`, key: simulatorKey, ...bounds })
})
afterAll(async () => {
  await simulator.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const { signal } = new AbortController()
const veo = { model: 'gamma-3.1-fast', durationSeconds: 8 }
const omni = { model: 'theta-omni-1.1-flash', durationSeconds: 10 }
const common = { mode: 'text-to-video', resolution: '720p', aspectRatio: '16:9', watermark: false, credits: 1n }
const data = `data:image/png;base64,${Buffer.from(orangeSquare).toString('base64')}`
const handed = (field: string, index = 0): HandedMedia => ({ kind: MediaKind.IMAGE, field, index, url: data })
type Wanted = { model: string; durationSeconds: number; mode?: string; resolution?: string }

function submission(wanted: Wanted, prompt: string, media: HandedMedia[] = []) {
  const order = create(OrderSchema, { ...common, ...wanted, prompt, inputs: media })
  const [route] = createRouting(readRoutes(undefined), [provider]).routesOf(order)
  if (!route?.words) throw new Error(`Google has no route for ${JSON.stringify(wanted)}`)
  const { providerModel, words } = route
  return { attemptId: newAttemptId(), providerModel, words, order, media, callbackUrl: undefined }
}

/** Submits an order that the simulator treats so, and says what came of that. */
async function submitWith(wanted: Wanted, ...behaviours: Behaviour[]) {
  const prompt = `words ${crypto.randomUUID()}`
  await behave(simulator.url, prompt, ...behaviours)
  const sent = submission(wanted, prompt)
  return { prompt, sent, outcome: await provider.submit(sent, signal) }
}

/** Accepts it and gives what polls it. */
async function acceptWith(wanted: Wanted, ...behaviours: Behaviour[]) {
  const { sent, outcome } = await submitWith(wanted, ...behaviours)
  if (outcome.outcome !== 'accepted') throw new Error(JSON.stringify(outcome))
  const polled = {
    attemptId: sent.attemptId,
    providerTaskId: outcome.providerTaskId,
    providerModel: sent.providerModel,
    echoed: outcome.echoed,
  }
  return { sent, polled, poll: async () => (await provider.poll([polled], signal))[0] }
}

/** Polls until there is a definite answer; one without an answer, and one that is running, is asked about again. */
async function endOf(poll: () => Promise<PollAnswer | undefined>): Promise<PollAnswer> {
  for (;;) {
    const answer = await poll().catch(error => {
      if (!(error instanceof ProviderTrouble)) throw error
    })
    if (answer && answer.status !== 'running') return answer
    await Bun.sleep(20)
  }
}

for (const [name, wanted, isEchoed] of [
  ['Veo', veo, false],
  ['Omni', omni, true],
] as const) {
  test(`${name}: from submit to a video, which is handed out with the key alone`, async () => {
    const { polled, poll } = await acceptWith(wanted, { name: 'instant' })
    expect(polled.echoed).toBe(isEchoed)
    const end = await endOf(poll)
    expect(end).toMatchObject({ status: 'succeeded' })
    const outputUrl = end.status === 'succeeded' ? end.outputUrl : ''
    expect((await fetch(outputUrl)).status).toBe(403)
    const video = await fetch(outputUrl, { headers: { 'x-goog-api-key': simulatorKey } })
    expect([video.status, video.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  })

  const refused = { outcome: 'refused', code: 'generation_unavailable' }
  test.each<[Behaviour, object]>([
    [{ name: 'refuse', code: 'balance_exhausted' }, refused],
    [{ name: 'refuse', code: 'too_many_requests' }, refused],
    [{ name: 'refuse', code: 'unauthorized' }, refused],
    [{ name: 'refuse', code: 'forbidden' }, refused],
    [{ name: 'refuse', code: 'invalid_request' }, refused],
    [{ name: 'refuse', code: 'not_found' }, refused],
    [{ name: 'refuse', code: 'input_unreachable' }, refused],
    [{ name: 'refuse_content' }, { outcome: 'refused', code: 'prompt_rejected' }],
    [{ name: 'drop_before_accept' }, { outcome: 'unknown' }],
    [{ name: '500_before_accept' }, { outcome: 'unknown' }],
    [{ name: 'accept_then_drop' }, { outcome: 'unknown' }],
    [{ name: 'accept_then_500' }, { outcome: 'unknown' }],
    [{ name: 'bad_json' }, { outcome: 'unknown' }],
    [{ name: 'accept_late', delay_ms: 6_000 }, { outcome: 'unknown' }],
  ])(`${name}: a submit that meets %o`, async (behaviour, expected) => {
    const { prompt, outcome } = await submitWith(wanted, behaviour, { name: 'never_finishes' })
    expect(outcome).toMatchObject(expected)
    if (behaviour.name !== 'accept_late') expect((await submitsOf(simulator.url, prompt)).length).toBe(1)
  })

  test.each<[Behaviour, object]>([
    [{ name: 'fails_after_accept' }, { status: 'failed', code: 'generation_failed' }],
    [{ name: 'moderated' }, { status: 'failed', code: 'output_moderated' }],
    [{ name: 'vanishes' }, { status: 'missing' }],
    [{ name: 'wrong_id' }, { status: 'missing' }],
    [{ name: 'read_500', times: 3 }, { status: 'succeeded' }],
    [{ name: 'unknown_status', times: 3 }, { status: 'succeeded' }],
    [{ name: 'completed_then_processing' }, { status: 'succeeded' }],
    [{ name: 'slow', delay_ms: 200 }, { status: 'succeeded' }],
  ])(`${name}: an accepted one that meets %o`, async (behaviour, expected) => {
    const { poll } = await acceptWith(wanted, behaviour, { name: 'instant' })
    expect(await endOf(poll)).toMatchObject(expected)
  })

  test(`${name}: another key is told apart from an absence, and whose something is only where our label is repeated`, async () => {
    const { polled, sent } = await acceptWith(wanted, { name: 'never_finishes' })
    const stranger = connectGoogle({ url: `${simulator.url}/google/v1beta`, key: 'another-key-altogether', ...bounds })
    await expect(stranger.poll([polled], signal)).rejects.toThrow(ProviderTrouble)
    expect([await provider.checkKey(signal), await stranger.checkKey(signal)]).toEqual(['accepted', 'refused'])
    expect(await stranger.submit(submission(wanted, 'words'), signal)).toMatchObject({
      outcome: 'refused',
      cause: 'answered 400 INVALID_ARGUMENT',
    })
    expect(await provider.identify(polled, signal)).toEqual({ attemptId: isEchoed ? sent.attemptId : null })
    const unknown = polled.providerTaskId.replace(/[0-9a-f]{32}$/, '0'.repeat(32))
    expect(await provider.identify({ ...polled, providerTaskId: unknown }, signal)).toBeUndefined()
  })
}

test('an id that is told twice is seen for what it is where labels are, and not where there are none', async () => {
  const first = await acceptWith(omni, { name: 'never_finishes' })
  const second = await submitWith(omni, { name: 'wrong_id', of: 'another' }, { name: 'never_finishes' })
  expect(second.outcome).toMatchObject({ outcome: 'accepted', providerTaskId: first.polled.providerTaskId })
  expect(await provider.poll([{ ...first.polled, attemptId: second.sent.attemptId }], signal)).toEqual([{ status: 'missing' }])
  const ignored = await acceptWith(omni, { name: 'ignore_token' }, { name: 'never_finishes' })
  expect(ignored.polled.echoed).toBe(false)
  expect(await ignored.poll()).toEqual(generating())
})

test('each submit is another generation, whatever its label', async () => {
  const { sent } = await acceptWith(omni, { name: 'never_finishes' })
  expect(await provider.submit(sent, signal)).toMatchObject({ outcome: 'accepted' })
  const ids = (await submitsOf(simulator.url, sent.order.prompt)).map(one => one.generation_id)
  expect(new Set(ids).size).toBe(2)
})

test('pictures reach the renderer as they were sent', async () => {
  for (const [wanted, media] of [
    [{ ...veo, mode: 'image-to-video', resolution: '720p' }, [handed('image_url'), handed('end_image_url')]],
    [{ ...omni, mode: 'media-to-video', resolution: '360p' }, [handed('reference_image_urls'), handed('reference_image_urls', 1)]],
  ] as [Wanted, HandedMedia[]][]) {
    const sent = submission(wanted, `words ${crypto.randomUUID()}`, media)
    const outcome = await provider.submit(sent, signal)
    if (outcome.outcome !== 'accepted') throw new Error(JSON.stringify(outcome))
    const polled = { ...sent, ...outcome }
    expect(await endOf(async () => (await provider.poll([polled], signal))[0])).toMatchObject({ status: 'succeeded' })
  }
})

test('every word of every default route to Google is one that its model takes', async () => {
  const file = readRoutes(undefined)
  const marked = `form ${crypto.randomUUID()}`
  // What has the right form meets this refusal, and makes nothing.
  await behave(simulator.url, marked, { name: 'refuse', code: 'too_many_requests' })
  const faults: string[] = []
  let tried = 0
  for (const [model, routes] of Object.entries(file.models))
    for (const { mode, model: providerModel, words: own = {}, always = {} } of routes.filter(route => route.provider === 'google')) {
      const words = { ...file.words?.google, ...own }
      const valuesOf = (field: string): string[] => Object.values(wordFor(words, field)?.values ?? {}).map(String)
      const media = Object.keys(words)
        .filter(field => /_urls?$/.test(field))
        .flatMap(field => Array.from({ length: wordFor(words, field)?.items_max ?? 1 }, (_, index) => handed(field, index)))
      for (const durationSeconds of Object.keys(wordFor(words, 'duration')?.values ?? {}).map(Number))
        for (const resolution of valuesOf('resolution'))
          for (const aspectRatio of Object.keys(wordFor(words, 'aspect_ratio')?.values ?? {})) {
            const order = create(OrderSchema, {
              ...common,
              model,
              mode,
              durationSeconds,
              resolution,
              aspectRatio,
              prompt: marked,
              inputs: media,
            })
            const route = {
              providerModel: String(providerModel),
              words: { words, always },
              callbackUrl: 'https://api.example/hooks/google/at_1',
            }
            const outcome = await provider.submit({ ...route, attemptId: newAttemptId(), order, media }, signal)
            tried += 1
            if (outcome.outcome !== 'refused' || outcome.cause !== 'answered 429 RESOURCE_EXHAUSTED')
              faults.push(`${model} ${mode} ${resolution} ${aspectRatio}: ${JSON.stringify(outcome)}`)
          }
    }
  expect(faults).toEqual([])
  expect(tried).toBe(3 * 3 * 3 + 4 * 4 * 3)
})
