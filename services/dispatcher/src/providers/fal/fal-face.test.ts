import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { readRoutes } from '../../routing/read-routes'
import { createRouting } from '../../routing/routing'
import type { OwnProcess } from '../../testing/own-process'
import { type Behaviour, behave, simulatorKey, startSimulator, submitsOf } from '../../testing/test-system'
import { ProviderTrouble } from '../call'
import type { Connector, PollAnswer } from '../connector'
import { type Word, wordFor } from '../words/words'
import { connectFal } from './connect-fal'

setDefaultTimeout(60_000)

let simulator: OwnProcess
let dataDir: string
let provider: Connector
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'filmgate-fal-test-'))
  simulator = await startSimulator(dataDir)
  provider = connectFal({ url: `${simulator.url}/fal`, key: simulatorKey, submitTimeoutMs: 3_000, readTimeoutMs: 5_000 })
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
  if (!route?.words) throw new Error('fal has a route for it')
  const { providerModel, words } = route
  return { attemptId: `at_${crypto.randomUUID()}`, providerModel, words, order: order(prompt), media: [], callbackUrl: undefined }
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

test.each<[Behaviour, object]>([
  [
    { name: 'refuse', code: 'balance_exhausted' },
    { outcome: 'refused', code: 'generation_unavailable' },
  ],
  [
    { name: 'refuse', code: 'too_many_requests' },
    { outcome: 'refused', code: 'generation_unavailable' },
  ],
  [
    { name: 'refuse', code: 'unauthorized' },
    { outcome: 'refused', code: 'generation_unavailable' },
  ],
  [
    { name: 'refuse', code: 'input_unreachable' },
    { outcome: 'refused', inputsUnread: true },
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

test('another key, another scheme and another app are told apart from an absence', async () => {
  const { polled } = await acceptWith({ name: 'never_finishes' })
  const stranger = connectFal({ url: `${simulator.url}/fal`, key: 'another-key-altogether', submitTimeoutMs: 3_000, readTimeoutMs: 5_000 })
  await expect(stranger.poll([polled], signal)).rejects.toThrow(ProviderTrouble)
  expect([await provider.checkKey(signal), await stranger.checkKey(signal)]).toEqual(['accepted', 'refused'])
  expect(await stranger.submit(submission('words'), signal)).toMatchObject({ outcome: 'refused', cause: 'answered 401 no code' })
  expect(await provider.poll([{ ...polled, providerModel: 'fal-ai/veo3.1/fast' }], signal)).toEqual([{ status: 'missing' }])
  expect(await provider.identify(polled, signal)).toEqual({ attemptId: null })
})

/** Values that show a word's bounds, and each of its list. */
function valuesOf(word: Word): unknown[] {
  const ofMedia = word.items_max !== undefined
  if (ofMedia) return [Array.from({ length: word.items_max ?? 0 }, () => 'https://ours.example/a')]
  if (Array.isArray(word.values)) return word.values
  if (word.values) return Object.values(word.values).filter(value => value !== null)
  const numbers = [word.min, word.max].filter(value => value !== undefined)
  return word.quoted ? numbers.map(String) : numbers
}

const plain: Record<string, unknown> = { prompt: 'words', seed: 7, generate_audio: true }

test('every word of every default route to fal is one that its model takes, and each input that the model needs has one', async () => {
  const marked = `form ${crypto.randomUUID()}`
  // What has the right form meets this refusal, and makes nothing.
  await behave(simulator.url, marked, { name: 'refuse', code: 'too_many_requests' })
  const file = readRoutes(undefined)
  const faults: string[] = []
  let tried = 0
  for (const [ours, routes] of Object.entries(file.models))
    for (const route of routes.filter(({ provider }) => provider === 'fal')) {
      const words = { ...file.words?.fal, ...route.words }
      const fields = Object.keys(words).flatMap(field => {
        const word = wordFor(words, field)
        if (word?.field === undefined) return []
        const values = valuesOf(word)
        const fallback = plain[field] ?? 'https://ours.example/a'
        return [{ field: word.field, values: values.length > 0 ? values : [fallback] }]
      })
      const first = Object.fromEntries(fields.map(({ field, values }) => [field, field === 'prompt' ? marked : values[0]]))
      const bodies = [first, ...fields.flatMap(({ field, values }) => values.slice(1).map(value => ({ ...first, [field]: value })))]
      for (const model of typeof route.model === 'object' ? Object.values(route.model) : [route.model])
        for (const body of bodies) {
          const answer = await fetch(`${simulator.url}/fal/${model}`, {
            method: 'POST',
            headers: { authorization: `Key ${simulatorKey}`, 'content-type': 'application/json' },
            body: JSON.stringify({ ...route.always, ...body }),
          })
          tried += 1
          if (answer.status !== 429) faults.push(`${ours} ${model}: ${answer.status} ${await answer.text()}`)
        }
    }
  expect(faults).toEqual([])
  expect(tried).toBeGreaterThan(400)
})

test('what a generation cost is told with its end, and a lie about it is not kept', async () => {
  const endWith = async (...behaviours: Behaviour[]) => endOf((await acceptWith({ name: 'instant' }, ...behaviours)).poll)
  expect(await endWith()).toMatchObject({ status: 'succeeded', billed: { microUnits: 5_000_000 } })
  for (const as of [null, -1, 'free']) {
    const end = await endWith({ name: 'cost_told', as })
    expect([as, end.status, 'billed' in end]).toEqual([as, 'succeeded', false])
  }
})
