import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { MediaKind, type Order, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { readRoutes } from '../../routing/read-routes'
import { createRouting } from '../../routing/routing'
import { newAttemptId } from '../../testing/attempt-id'
import type { OwnProcess } from '../../testing/own-process'
import { type Behaviour, behave, simulatorKey, startSimulator, submitsOf } from '../../testing/test-system'
import { ProviderTrouble } from '../call'
import type { Connector, PollAnswer } from '../connector'
import { wordFor } from '../words/words'
import { connectRunware } from './connect-runware'
import { requestTask } from './request-task'

setDefaultTimeout(60_000)

let simulator: OwnProcess
let dataDir: string
let provider: Connector
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'filmgate-runware-test-'))
  simulator = await startSimulator(dataDir)
  provider = connectRunware({ url: `${simulator.url}/runware/v1`, key: simulatorKey, submitTimeoutMs: 3_000, readTimeoutMs: 5_000 })
})
afterAll(async () => {
  await simulator.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const { signal } = new AbortController()
const order = (prompt: string) =>
  create(OrderSchema, {
    ...{ model: 'delta-3.0', mode: 'text-to-video', prompt, durationSeconds: 5, resolution: '720p', aspectRatio: '16:9' },
    ...{ generateAudio: false, watermark: false, credits: 1n },
  })

function submission(prompt: string) {
  const [route] = createRouting(readRoutes(undefined), [provider]).routesOf(order(prompt))
  if (!route?.words) throw new Error('Runware has a route for it')
  const { providerModel, words } = route
  return { attemptId: newAttemptId(), providerModel, words, order: order(prompt), media: [], callbackUrl: undefined }
}

/** Submits an order that the simulator treats so, and says what came of that. */
async function submitWith(...behaviours: Behaviour[]) {
  const prompt = `words ${crypto.randomUUID()}`
  await behave(simulator.url, prompt, ...behaviours)
  const sent = submission(prompt)
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
  [{ name: 'refuse', code: 'input_unreachable' }, refused],
  [{ name: 'refuse_content' }, { outcome: 'refused', code: 'prompt_rejected' }],
  [{ name: 'drop_before_accept' }, { outcome: 'unknown' }],
  [{ name: '500_before_accept' }, { outcome: 'unknown' }],
  [{ name: 'accept_then_drop' }, { outcome: 'unknown' }],
  [{ name: 'accept_then_500' }, { outcome: 'unknown' }],
  [{ name: 'bad_json' }, { outcome: 'unknown' }],
  [{ name: 'wrong_id' }, { outcome: 'unknown' }],
  [{ name: 'accept_late', delay_ms: 6_000 }, { outcome: 'unknown' }],
])('a submit that meets %o', async (behaviour, expected) => {
  const { prompt, outcome } = await submitWith(behaviour, { name: 'never_finishes' })
  expect(outcome).toMatchObject(expected)
  if (behaviour.name !== 'accept_late') expect((await submitsOf(simulator.url, prompt)).length).toBe(1)
})

test.each<[Behaviour, object]>([
  [{ name: 'fails_after_accept' }, { status: 'failed', code: 'generation_failed' }],
  [{ name: 'moderated' }, { status: 'failed', code: 'output_moderated' }],
  [{ name: 'read_500', times: 3 }, { status: 'succeeded' }],
  [{ name: 'lookup_500', times: 3 }, { status: 'succeeded' }],
  [{ name: 'lookup_lags', delay_ms: 300 }, { status: 'succeeded' }],
  [{ name: 'unknown_status', times: 3 }, { status: 'succeeded' }],
  [{ name: 'completed_then_processing' }, { status: 'succeeded' }],
  [{ name: 'slow', delay_ms: 200 }, { status: 'succeeded' }],
])('an accepted one that meets %o', async (behaviour, expected) => {
  const { poll } = await acceptWith(behaviour, { name: 'instant' })
  expect(await endOf(poll)).toMatchObject(expected)
})

test.each<Behaviour>([{ name: 'accept_then_drop' }, { name: 'accept_then_500' }, { name: 'bad_json' }, { name: 'wrong_id' }])(
  'an answer lost by %o is found by our own id, and a second submit buys nothing',
  async behaviour => {
    const { sent, outcome } = await submitWith(behaviour, { name: 'instant' })
    expect(outcome).toMatchObject({ outcome: 'unknown' })
    const found = await provider.lookUp?.(sent.attemptId, signal)
    expect(await provider.submit(sent, signal)).toEqual({ outcome: 'accepted', providerTaskId: found ?? '', echoed: true })
    const polled = { attemptId: sent.attemptId, providerTaskId: found ?? '', providerModel: sent.providerModel, echoed: true }
    expect(await endOf(async () => (await provider.poll([polled], signal))[0])).toMatchObject({ status: 'succeeded' })
    const answered = (await submitsOf(simulator.url, sent.order.prompt)).map(submit => submit.generation_id)
    expect(new Set(answered).size).toBe(1)
  },
)

test('one that vanishes, and one whose id was ignored, are running for ever: neither is missing', async () => {
  for (const name of ['vanishes', 'ignore_token']) {
    const { polled, sent } = await acceptWith({ name }, { name: 'instant' })
    expect(await provider.poll([polled], signal)).toEqual([{ status: 'running' }])
    expect(await provider.lookUp?.(sent.attemptId, signal)).toBeUndefined()
  }
})

test('another key is told apart from an absence, and an id is told to be ours', async () => {
  const { polled, sent } = await acceptWith({ name: 'never_finishes' })
  const url = `${simulator.url}/runware/v1`
  const stranger = connectRunware({ url, key: 'another-key-altogether', submitTimeoutMs: 3_000, readTimeoutMs: 5_000 })
  await expect(stranger.poll([polled], signal)).rejects.toThrow(ProviderTrouble)
  expect([await provider.checkKey(signal), await stranger.checkKey(signal)]).toEqual(['accepted', 'refused'])
  await expect(stranger.lookUp?.(sent.attemptId, signal)).rejects.toThrow(ProviderTrouble)
  expect(await stranger.submit(submission('words'), signal)).toMatchObject({ outcome: 'refused', cause: 'answered 401 invalidApiKey' })
  expect(await provider.identify(polled, signal)).toEqual({ attemptId: sent.attemptId })
  expect(await provider.identify({ ...polled, providerTaskId: crypto.randomUUID() }, signal)).toBeUndefined()
})

const input = (field: string, kind: MediaKind) => (index: number) => ({ kind, field, index, url: `https://ours.example/${field}/${index}` })
const kinds: Record<string, MediaKind> = { reference_video_urls: MediaKind.VIDEO, reference_audio_urls: MediaKind.AUDIO }

test('every word of every default route to Runware is one that its model takes', async () => {
  const file = readRoutes(undefined)
  const routing = createRouting(file, [provider])
  const faults: string[] = []
  let tried = 0
  const marked = `form ${crypto.randomUUID()}`
  // What has the right form meets this refusal, and makes nothing.
  await behave(simulator.url, marked, { name: 'refuse', code: 'too_many_requests' })
  for (const [model, routes] of Object.entries(file.models))
    for (const { mode, words: own, model: theirs } of routes.filter(route => route.provider === 'runware')) {
      const words = { ...file.words?.runware, ...own }
      const valuesOf = (field: string): string[] => Object.keys(wordFor(words, field)?.values ?? {})
      const { min = 0, max = 0, values = [] } = wordFor(words, 'duration') ?? {}
      const durations = max > 0 ? [min, max] : Object.keys(values).map(Number)
      const resolutions = typeof theirs === 'object' ? Object.keys(theirs) : valuesOf('resolution')
      const inputs = Object.keys(words)
        .filter(field => /_urls?$/.test(field))
        .flatMap(field =>
          Array.from({ length: wordFor(words, field)?.items_max ?? 1 }, (_, at) => input(field, kinds[field] ?? MediaKind.IMAGE)(at)),
        )
      for (const durationSeconds of durations)
        for (const resolution of resolutions)
          for (const aspectRatio of valuesOf('aspect_ratio'))
            for (const more of [{}, ...(words.generate_audio ? [{ generateAudio: true }] : []), ...(words.seed ? [{ seed: 7n }] : [])]) {
              const wanted: Order = create(OrderSchema, {
                model,
                mode: mode ?? '',
                prompt: marked,
                durationSeconds,
                resolution,
                aspectRatio,
                inputs,
                ...more,
              })
              const [route] = routing.routesOf(wanted)
              if (!route?.words) throw new Error(`${model} ${resolution} ${aspectRatio} has no route`)
              const { providerModel, words: routeWords } = route
              const task = requestTask({
                attemptId: newAttemptId(),
                providerModel,
                order: wanted,
                words: routeWords,
                media: inputs,
                callbackUrl: undefined,
              })
              const answer = await fetch(`${simulator.url}/runware/v1`, {
                method: 'POST',
                headers: { authorization: `Bearer ${simulatorKey}`, 'content-type': 'application/json' },
                body: JSON.stringify([task]),
              })
              tried += 1
              if (answer.status !== 429)
                faults.push(`${model} ${providerModel} ${JSON.stringify(task)}: ${answer.status} ${await answer.text()}`)
            }
    }
  expect(faults).toEqual([])
  expect(tried).toBeGreaterThan(200)
})

test('what a generation cost is told with its end, and a lie about it is not kept', async () => {
  const endWith = async (...behaviours: Behaviour[]) => endOf((await acceptWith({ name: 'instant' }, ...behaviours)).poll)
  expect(await endWith()).toMatchObject({ status: 'succeeded', billed: { microUsd: 420_000 } })
  for (const as of [null, -1, 'free']) {
    const end = await endWith({ name: 'cost_told', as })
    expect([as, end.status, 'billed' in end]).toEqual([as, 'succeeded', false])
  }
})
