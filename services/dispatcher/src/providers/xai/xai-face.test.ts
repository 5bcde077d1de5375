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
import { connectXai } from './connect-xai'

setDefaultTimeout(60_000)

let simulator: OwnProcess
let dataDir: string
let provider: Connector
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'filmgate-xai-test-'))
  simulator = await startSimulator(dataDir)
  provider = connectXai({ url: `${simulator.url}/xai/v1`, key: simulatorKey, submitTimeoutMs: 3_000, readTimeoutMs: 5_000 })
})
afterAll(async () => {
  await simulator.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const { signal } = new AbortController()
const order = (prompt: string) =>
  create(OrderSchema, {
    ...{ model: 'epsilon-1.5', mode: 'text-to-video', prompt, durationSeconds: 6, resolution: '480p', aspectRatio: '16:9' },
    ...{ watermark: false, credits: 1n },
  })

function submission(wanted: Order, media: { kind: MediaKind; field: string; index: number; url: string }[] = []) {
  const [route] = createRouting(readRoutes(undefined), [provider]).routesOf(wanted)
  if (!route?.words) throw new Error(`xAI has no route for ${wanted.mode} ${wanted.resolution} ${wanted.aspectRatio}`)
  const { providerModel, words } = route
  return { attemptId: newAttemptId(), providerModel, words, order: wanted, media, callbackUrl: undefined }
}

/** Submits an order that the simulator treats so, and says what came of that. */
async function submitWith(...behaviours: Behaviour[]) {
  const prompt = `words ${crypto.randomUUID()}`
  await behave(simulator.url, prompt, ...behaviours)
  const sent = submission(order(prompt))
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
  [{ name: 'refuse', code: 'input_unreachable' }, refused],
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

test('another key is told apart from an absence, and says nothing of what runs', async () => {
  const { polled } = await acceptWith({ name: 'never_finishes' })
  const url = `${simulator.url}/xai/v1`
  const stranger = connectXai({ url, key: 'another-key-altogether', submitTimeoutMs: 3_000, readTimeoutMs: 5_000 })
  await expect(stranger.poll([polled], signal)).rejects.toThrow(ProviderTrouble)
  expect([await provider.checkKey(signal), await stranger.checkKey(signal)]).toEqual(['accepted', 'refused'])
  const cause = 'answered 400 Client specified an invalid argument'
  expect(await stranger.submit(submission(order('words')), signal)).toMatchObject({ outcome: 'refused', cause })
  expect(await provider.identify(polled, signal)).toEqual({ attemptId: null })
  expect(await provider.identify({ ...polled, providerTaskId: crypto.randomUUID() }, signal)).toBeUndefined()
})

const input = (field: string) => (_: unknown, index: number) => ({
  ...{ kind: MediaKind.IMAGE, field, index, url: `https://ours.example/${field}/${index}` },
})

test('every word of every default route to xAI is one that its model takes', async () => {
  const file = readRoutes(undefined)
  const faults: string[] = []
  let tried = 0
  const marked = `form ${crypto.randomUUID()}`
  // What has the right form meets this refusal, and makes nothing.
  await behave(simulator.url, marked, { name: 'refuse', code: 'too_many_requests' })
  for (const [model, routes] of Object.entries(file.models))
    for (const { mode = '', words: own } of routes.filter(route => route.provider === 'xai')) {
      const words = { ...file.words?.xai, ...own }
      const valuesOf = (field: string): string[] => Object.values(wordFor(words, field)?.values ?? {}).map(String)
      const ratios = Object.keys(wordFor(words, 'aspect_ratio')?.values ?? {})
      const { min = 0, max = 0 } = wordFor(words, 'duration') ?? {}
      const inputs = Object.keys(words)
        .filter(field => /_urls?$/.test(field))
        .flatMap(field => Array.from({ length: wordFor(words, field)?.items_max ?? 1 }, input(field)))
      for (const durationSeconds of [min, max])
        for (const resolution of valuesOf('resolution'))
          for (const aspectRatio of ratios) {
            const asked = { durationSeconds, resolution, aspectRatio }
            const sent = submission(create(OrderSchema, { model, mode, prompt: marked, inputs, ...asked }), inputs)
            const outcome = await provider.submit(sent, signal)
            tried += 1
            if (!('cause' in outcome) || outcome.cause !== 'answered 429 rate_limit_exceeded')
              faults.push(`${model} ${mode} ${JSON.stringify(asked)}: ${JSON.stringify(outcome)}`)
          }
    }
  expect(faults).toEqual([])
  expect(tried).toBe(68)
})
