import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { readRoutes } from '../../routing/read-routes'
import { createRouting } from '../../routing/routing'
import type { OwnProcess } from '../../testing/own-process'
import { type Behaviour, behave, simulatorKey, startSimulator, submitsOf } from '../../testing/test-system'
import { ProviderTrouble } from '../call'
import type { Connector, PollAnswer } from '../connector'
import { type Word, wordFor } from '../words/words'
import { connectDashScope } from './connect-dashscope'
import { requestBody } from './request-body'

setDefaultTimeout(60_000)

let simulator: OwnProcess
let dataDir: string
let provider: Connector
const connect = (key: string) =>
  connectDashScope({ url: `${simulator.url}/dashscope/api/v1`, key, submitTimeoutMs: 3_000, readTimeoutMs: 5_000 })
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'filmgate-dashscope-test-'))
  simulator = await startSimulator(dataDir)
  provider = connect(simulatorKey)
})
afterAll(async () => {
  await simulator.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const { signal } = new AbortController()
const order = (changes: object) =>
  create(OrderSchema, {
    ...{ model: 'eta-3.0', mode: 'text-to-video', durationSeconds: 5, resolution: '720p', aspectRatio: '16:9' },
    ...{ generateAudio: false, watermark: false, credits: 1n, ...changes },
  })

function submission(changes: object) {
  const wanted = order(changes)
  const [route] = createRouting(readRoutes(undefined), [provider]).routesOf(wanted)
  if (!route?.words) throw new Error(`DashScope has no route for ${JSON.stringify(changes)}`)
  const { providerModel, words } = route
  return { attemptId: `at_${crypto.randomUUID()}`, providerModel, words, order: wanted, media: [], callbackUrl: undefined }
}

/** Submits an order that the simulator treats so, and says what came of that. */
async function submitWith(...behaviours: Behaviour[]) {
  const prompt = `words ${crypto.randomUUID()}`
  await behave(simulator.url, prompt, ...behaviours)
  const sent = submission({ prompt })
  return { prompt, sent, outcome: await provider.submit(sent, signal) }
}

/** Accepts it and gives what polls it. */
async function acceptWith(...behaviours: Behaviour[]) {
  const { sent, outcome } = await submitWith(...behaviours)
  if (outcome.outcome !== 'accepted') throw new Error(JSON.stringify(outcome))
  const polled = {
    attemptId: sent.attemptId,
    providerTaskId: outcome.providerTaskId,
    providerModel: sent.providerModel,
    echoed: outcome.echoed,
  }
  return { polled, poll: async () => (await provider.poll([polled], signal))[0] }
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

test('from submit to a video', async () => {
  const { poll } = await acceptWith({ name: 'instant' })
  const end = await endOf(poll)
  expect(end).toMatchObject({ status: 'succeeded' })
  const video = await fetch(end.status === 'succeeded' ? end.outputUrl : '')
  expect([video.status, video.headers.get('content-type')]).toEqual([200, 'video/mp4'])
})

const refused = { outcome: 'refused', code: 'generation_unavailable' }

test.each<[Behaviour, object]>([
  [{ name: 'refuse', code: 'balance_exhausted' }, refused],
  [{ name: 'refuse', code: 'too_many_requests' }, refused],
  [{ name: 'refuse', code: 'unauthorized' }, refused],
  [{ name: 'refuse', code: 'forbidden' }, refused],
  [{ name: 'refuse', code: 'invalid_request' }, refused],
  [
    { name: 'refuse', code: 'input_unreachable' },
    { ...refused, inputsUnread: true },
  ],
  [{ name: 'refuse_content' }, { outcome: 'refused', code: 'prompt_rejected' }],
  [{ name: 'drop_before_accept' }, { outcome: 'unknown' }],
  [{ name: '500_before_accept' }, { outcome: 'unknown' }],
  [{ name: 'accept_then_drop' }, { outcome: 'unknown' }],
  [{ name: 'accept_then_500' }, { outcome: 'unknown' }],
  [{ name: 'bad_json' }, { outcome: 'unknown' }],
  [{ name: 'accept_late', delay_ms: 6_000 }, { outcome: 'unknown' }],
])('a submit that meets %o', async (behaviour, expected) => {
  const { prompt, outcome } = await submitWith(behaviour, { name: 'never_finishes' })
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
])('an accepted one that meets %o', async (behaviour, expected) => {
  const { poll } = await acceptWith(behaviour, { name: 'instant' })
  expect(await endOf(poll)).toMatchObject(expected)
})

test('another key is told apart from an absence, and a submit that is sent again is another task', async () => {
  const { polled } = await acceptWith({ name: 'never_finishes' })
  const stranger = connect('another-key-altogether')
  await expect(stranger.poll([polled], signal)).rejects.toThrow(ProviderTrouble)
  expect([await provider.checkKey(signal), await stranger.checkKey(signal)]).toEqual(['accepted', 'refused'])
  const sent = submission({ prompt: 'words' })
  expect(await stranger.submit(sent, signal)).toMatchObject({ outcome: 'refused', cause: 'answered 401 InvalidApiKey' })
  expect(await provider.identify(polled, signal)).toEqual({ attemptId: null })
  expect(await provider.identify({ ...polled, providerTaskId: crypto.randomUUID() }, signal)).toBeUndefined()
  const { prompt, sent: twice } = await submitWith({ name: 'never_finishes' })
  await provider.submit(twice, signal)
  expect(new Set((await submitsOf(simulator.url, prompt)).map(submit => submit.generation_id)).size).toBe(2)
})

const kinds: Record<string, MediaKind> = { reference_video_urls: MediaKind.VIDEO, reference_audio_urls: MediaKind.AUDIO }

/** As many inputs as a route has places for, of each kind by itself and, where that is one, all of them. */
function mediaOf(words: Record<string, Word | string>) {
  const fields = Object.keys(words).filter(field => /_urls?$/.test(field))
  const filled = fields.map(field =>
    Array.from({ length: wordFor(words, field)?.items_max ?? 1 }, (_, index) => ({
      ...{ kind: kinds[field] ?? MediaKind.IMAGE, field, index, url: `https://ours.example/${field}/${index}` },
    })),
  )
  return [...filled.slice(0, 1), filled.flat()]
}

test('every word of every default route to DashScope is one that its model takes', async () => {
  const marked = `form ${crypto.randomUUID()}`
  // What has the right form meets this refusal, and makes nothing.
  await behave(simulator.url, marked, { name: 'refuse', code: 'too_many_requests' })
  const file = readRoutes(undefined)
  const faults: string[] = []
  let tried = 0
  for (const [model, routes] of Object.entries(file.models))
    for (const { mode, words: own } of routes.filter(route => route.provider === 'dashscope')) {
      const words = { ...file.words?.dashscope, ...own }
      const valuesOf = (field: string): string[] => {
        const { values = [] } = wordFor(words, field) ?? {}
        return Array.isArray(values) ? values : Object.keys(values)
      }
      const { min = 0, max = 0, values = [] } = wordFor(words, 'duration') ?? {}
      const longest = wordFor(words, 'prompt')?.characters_max ?? 0
      const prompts = [marked, marked.padEnd(Math.min(longest, 7_000), 'x')]
      const more = [{ prompt: prompts[1] }, { watermark: true }, { seed: 7n }, ...(own?.generate_audio ? [{ generateAudio: true }] : [])]
      for (const durationSeconds of max > 0 ? [min, max] : Object.keys(values).map(Number))
        for (const resolution of valuesOf('resolution'))
          for (const aspectRatio of valuesOf('aspect_ratio'))
            for (const inputs of mediaOf(words))
              for (const changes of [{}, ...more]) {
                const base = { model, mode, prompt: marked, durationSeconds, resolution, aspectRatio, inputs, generateAudio: undefined }
                const sent = { ...submission({ ...base, ...changes }), media: inputs }
                const answer = await fetch(`${simulator.url}/dashscope/api/v1/services/aigc/video-generation/video-synthesis`, {
                  method: 'POST',
                  headers: {
                    ...{ authorization: `Bearer ${simulatorKey}`, 'content-type': 'application/json' },
                    'x-dashscope-async': 'enable',
                  },
                  body: JSON.stringify(requestBody(sent)),
                })
                tried += 1
                if (answer.status !== 429)
                  faults.push(`${model} ${JSON.stringify(requestBody(sent))}: ${answer.status} ${await answer.text()}`)
              }
    }
  expect(faults.slice(0, 5)).toEqual([])
  expect(tried).toBeGreaterThan(500)
})

test('what has no word at DashScope goes nowhere there, and is never put as something near it', () => {
  const routing = createRouting(readRoutes(undefined), [provider])
  const image = { kind: MediaKind.IMAGE, field: 'reference_image_urls', index: 0, url: 'https://ours.example/a' }
  const asked = { model: 'eta-2.6', prompt: 'words', generateAudio: true }
  expect(routing.routesOf(order(asked)).map(({ providerModel }) => providerModel)).toEqual(['wan2.6-t2v'])
  for (const changes of [
    { prompt: 'x'.repeat(1_501) },
    { generateAudio: false },
    { aspectRatio: '21:9' },
    { durationSeconds: 6 },
    { mode: 'media-to-video', inputs: [image] },
  ])
    expect(routing.routesOf(order({ ...asked, ...changes }))).toEqual([])
})
