import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { readRoutes } from '../../routing/read-routes'
import { createRouting } from '../../routing/routing'
import { newAttemptId } from '../../testing/attempt-id'
import type { OwnProcess } from '../../testing/own-process'
import { type Behaviour, behave, simulatorKey, startSimulator, submitsOf } from '../../testing/test-system'
import { ProviderTrouble } from '../call'
import type { Connector, PollAnswer } from '../connector'
import { wordFor } from '../words/words'
import { connectVidu } from './connect-vidu'
import { requestBody } from './request-body'

setDefaultTimeout(60_000)

let simulator: OwnProcess
let dataDir: string
let provider: Connector
const connect = (key = simulatorKey) => connectVidu({ url: `${simulator.url}/vidu`, key, submitTimeoutMs: 3_000, readTimeoutMs: 5_000 })
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'filmgate-vidu-test-'))
  simulator = await startSimulator(dataDir)
  provider = connect()
})
afterAll(async () => {
  await simulator.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const { signal } = new AbortController()
const order = (prompt: string) =>
  create(OrderSchema, {
    ...{ model: 'iota-q3-turbo', mode: 'text-to-video', prompt, durationSeconds: 2, resolution: '540p', aspectRatio: '16:9' },
    ...{ generateAudio: false, watermark: false, credits: 1n },
  })

function submission(prompt: string) {
  const [route] = createRouting(readRoutes(undefined), [provider]).routesOf(order(prompt))
  if (!route?.words) throw new Error('Vidu has a route for it')
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

/** Asks until there is an answer. */
async function found(attemptId: string): Promise<string | undefined> {
  for (;;) {
    const answer = await provider.lookUp?.(attemptId, signal).catch(error => {
      if (!(error instanceof ProviderTrouble)) throw error
    })
    if (answer) return answer
    await Bun.sleep(20)
  }
}

test('from submit to a video', async () => {
  const { poll, polled } = await acceptWith({ name: 'instant' })
  expect(polled.echoed).toBe(true)
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
  [{ name: 'wrong_id', of: 'another' }, { status: 'missing' }],
  [{ name: 'read_500', times: 3 }, { status: 'succeeded' }],
  [{ name: 'unknown_status', times: 3 }, { status: 'succeeded' }],
  [{ name: 'completed_then_processing' }, { status: 'succeeded' }],
  [{ name: 'slow', delay_ms: 200 }, { status: 'succeeded' }],
])('an accepted one that meets %o', async (behaviour, expected) => {
  const { poll } = await acceptWith(behaviour, { name: 'instant' })
  expect(await endOf(poll)).toMatchObject(expected)
})

test.each<Behaviour[]>([
  [{ name: 'accept_then_drop' }],
  [{ name: 'accept_then_500' }],
  [{ name: 'bad_json' }],
  [{ name: 'wrong_id' }],
  [{ name: 'accept_then_drop' }, { name: 'lookup_500', times: 2 }],
  [{ name: 'accept_then_drop' }, { name: 'lookup_lags', delay_ms: 300 }],
])('an answer lost by %o is found by what the task carries', async (...behaviours) => {
  const { prompt, sent } = await submitWith(...behaviours, { name: 'instant' })
  const providerTaskId = (await found(sent.attemptId)) ?? ''
  const [submit] = await submitsOf(simulator.url, prompt)
  expect(providerTaskId).toBe(submit?.generation_id ?? '')
  expect(await provider.identify({ providerTaskId, providerModel: sent.providerModel }, signal)).toEqual({ attemptId: sent.attemptId })
  const polled = { attemptId: sent.attemptId, providerTaskId, providerModel: sent.providerModel, echoed: true }
  expect(await endOf(async () => (await provider.poll([polled], signal))[0])).toMatchObject({ status: 'succeeded' })
})

test('one that vanishes, one that never arrived and one that carries nothing are not found, which proves nothing', async () => {
  for (const name of ['vanishes', 'drop_before_accept', 'ignore_token']) {
    const { sent } = await submitWith({ name }, { name: 'never_finishes' })
    expect([name, await provider.lookUp?.(sent.attemptId, signal)]).toEqual([name, undefined])
  }
  expect(provider.capabilities.lookUp).toBe('own-id-if-found')
})

test('another key is told apart from an absence', async () => {
  const { polled, sent } = await acceptWith({ name: 'never_finishes' })
  const stranger = connect('another-key-altogether')
  await expect(stranger.poll([polled], signal)).rejects.toThrow(ProviderTrouble)
  await expect(stranger.lookUp?.(sent.attemptId, signal)).rejects.toThrow(ProviderTrouble)
  expect([await provider.checkKey(signal), await stranger.checkKey(signal)]).toEqual(['accepted', 'refused'])
  expect(await stranger.submit(submission('words'), signal)).toMatchObject({ outcome: 'refused', cause: 'answered 401 Unauthorized' })
  expect(await provider.identify({ ...polled, providerTaskId: '1' }, signal)).toBeUndefined()
})

const input = (field: string) => (_: unknown, index: number) => ({
  ...{ kind: MediaKind.IMAGE, field, index, url: `https://ours.example/${field}/${index}` },
})

test('every word of every default route to Vidu is one that its task takes', async () => {
  const marked = `form ${crypto.randomUUID()}`
  // What has the right form meets this refusal, and makes nothing.
  await behave(simulator.url, marked, { name: 'refuse', code: 'too_many_requests' })
  const file = readRoutes(undefined)
  const faults: string[] = []
  let tried = 0
  for (const [model, routes] of Object.entries(file.models))
    for (const { mode = '', words: own, model: theirs, always } of routes.filter(route => route.provider === 'vidu')) {
      const words = { ...file.words?.vidu, ...own }
      const valuesOf = (field: string): string[] => {
        const { values = [] } = wordFor(words, field) ?? {}
        return Array.isArray(values) ? values : Object.keys(values)
      }
      const { min = 0, max = 0 } = wordFor(words, 'duration') ?? {}
      const { min: least = 0, max: most = 0 } = wordFor(words, 'seed') ?? {}
      const inputs = Object.keys(words)
        .filter(field => /_urls?$/.test(field))
        .flatMap(field => Array.from({ length: wordFor(words, field)?.items_max ?? 1 }, input(field)))
      const mores: MessageInitShape<typeof OrderSchema>[] = [{}, { generateAudio: true }, { seed: BigInt(least) }, { seed: BigInt(most) }]
      for (const durationSeconds of [min, max])
        for (const resolution of valuesOf('resolution'))
          for (const aspectRatio of valuesOf('aspect_ratio'))
            for (const more of mores) {
              const wanted = create(OrderSchema, { model, mode, prompt: marked, durationSeconds, resolution, aspectRatio, inputs, ...more })
              const { path, body } = requestBody({
                ...{ attemptId: newAttemptId(), providerModel: String(theirs), order: wanted, words: { words, always: always ?? {} } },
                ...{ media: inputs, callbackUrl: 'https://ours.example/hooks/vidu/x' },
              })
              const answer = await fetch(`${simulator.url}/vidu/ent/v2/${path}`, {
                method: 'POST',
                headers: { authorization: `Token ${simulatorKey}`, 'content-type': 'application/json' },
                body: JSON.stringify(body),
              })
              tried += 1
              if (answer.status !== 429) faults.push(`${model} ${path} ${JSON.stringify(body)}: ${answer.status} ${await answer.text()}`)
            }
    }
  expect(faults).toEqual([])
  expect(tried).toBeGreaterThan(200)
})
