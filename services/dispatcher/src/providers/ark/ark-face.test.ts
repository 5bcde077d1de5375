import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { readRoutes } from '../../routing/read-routes'
import { createRouting } from '../../routing/routing'
import { newAttemptId } from '../../testing/attempt-id'
import type { OwnProcess } from '../../testing/own-process'
import { type Behaviour, behave, simulatorKey, startSimulator, submitsOf } from '../../testing/test-system'
import { ProviderTrouble } from '../call'
import type { Connector, PollAnswer } from '../connector'
import { connectArk } from './connect-ark'

setDefaultTimeout(60_000)

let simulator: OwnProcess
let dataDir: string
let provider: Connector
/** The same, marking its attempts. */
let marking: Connector
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'filmgate-ark-test-'))
  simulator = await startSimulator(dataDir)
  const options = { url: `${simulator.url}/ark/api/v3`, key: simulatorKey, submitTimeoutMs: 3_000, readTimeoutMs: 5_000 }
  provider = connectArk({ ...options, marksAttempts: false })
  marking = connectArk({ ...options, marksAttempts: true })
})
afterAll(async () => {
  await simulator.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const { signal } = new AbortController()
const order = (prompt: string) =>
  create(OrderSchema, {
    ...{ model: 'beta-2.0-mini', mode: 'text-to-video', prompt, durationSeconds: 4, resolution: '480p', aspectRatio: '16:9' },
    ...{ generateAudio: false, watermark: false, credits: 1n },
  })

function submission(prompt: string) {
  const [route] = createRouting(readRoutes(undefined), [provider]).routesOf(order(prompt))
  if (!route?.words) throw new Error('Ark has a route for it')
  const { providerModel, words } = route
  return { attemptId: newAttemptId(), providerModel, words, order: order(prompt), media: [], callbackUrl: undefined }
}

/** Submits an order that the simulator treats so, and says what came of that. */
async function submitWith(by: Connector, ...behaviours: Behaviour[]) {
  const prompt = `words ${crypto.randomUUID()}`
  await behave(simulator.url, prompt, ...behaviours)
  const sent = submission(prompt)
  return { prompt, sent, outcome: await by.submit(sent, signal) }
}

/** Accepts it and gives what polls it. */
async function acceptWith(by: Connector, ...behaviours: Behaviour[]) {
  const { sent, outcome } = await submitWith(by, ...behaviours)
  if (outcome.outcome !== 'accepted') throw new Error(JSON.stringify(outcome))
  const polled = {
    attemptId: sent.attemptId,
    providerTaskId: outcome.providerTaskId,
    providerModel: sent.providerModel,
    echoed: outcome.echoed,
  }
  return { sent, polled, poll: async () => (await by.poll([polled], signal))[0] }
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
  const { poll } = await acceptWith(provider, { name: 'instant' })
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
  [{ name: 'refuse', code: 'not_found' }, refused],
  [
    { name: 'refuse', code: 'input_unreachable' },
    { ...refused, inputsUnread: true },
  ],
  [{ name: 'refuse', code: 'internal_error' }, { outcome: 'unknown' }],
  [{ name: 'refuse_content' }, { outcome: 'refused', code: 'prompt_rejected' }],
  [{ name: 'drop_before_accept' }, { outcome: 'unknown' }],
  [{ name: '500_before_accept' }, { outcome: 'unknown' }],
  [{ name: 'accept_then_drop' }, { outcome: 'unknown' }],
  [{ name: 'accept_then_500' }, { outcome: 'unknown' }],
  [{ name: 'bad_json' }, { outcome: 'unknown' }],
  [{ name: 'accept_late', delay_ms: 6_000 }, { outcome: 'unknown' }],
])('a submit that meets %o', async (behaviour, expected) => {
  for (const by of [provider, marking]) {
    const { prompt, outcome } = await submitWith(by, behaviour, { name: 'never_finishes' })
    expect(outcome).toMatchObject(expected)
    if (behaviour.name !== 'accept_late') expect((await submitsOf(simulator.url, prompt)).length).toBe(1)
  }
})

test.each<[Behaviour, object]>([
  [{ name: 'fails_after_accept' }, { status: 'failed', code: 'generation_failed' }],
  [{ name: 'moderated' }, { status: 'failed', code: 'output_moderated' }],
  [{ name: 'vanishes' }, { status: 'missing' }],
  [{ name: 'wrong_id' }, { status: 'missing' }],
  [{ name: 'ignore_token' }, { status: 'succeeded' }],
  [{ name: 'lookup_lags', delay_ms: 300 }, { status: 'succeeded' }],
  [{ name: 'read_500', times: 3 }, { status: 'succeeded' }],
  [{ name: 'unknown_status', times: 3 }, { status: 'succeeded' }],
  [{ name: 'completed_then_processing' }, { status: 'succeeded' }],
  [{ name: 'slow', delay_ms: 200 }, { status: 'succeeded' }],
])('an accepted one that meets %o', async (behaviour, expected) => {
  for (const by of [provider, marking]) {
    const { poll } = await acceptWith(by, behaviour, { name: 'instant' })
    expect(await endOf(poll)).toMatchObject(expected)
  }
})

test('an id that is another’s is missing where attempts are marked', async () => {
  await acceptWith(marking, { name: 'never_finishes' })
  const { poll } = await acceptWith(marking, { name: 'wrong_id', of: 'another' }, { name: 'instant' })
  expect(await poll()).toEqual({ status: 'missing' })
})

test.each<Behaviour>([{ name: 'accept_then_drop' }, { name: 'accept_then_500' }, { name: 'bad_json' }])(
  'an answer lost by %o is found by its mark, and by nothing without one',
  async behaviour => {
    const { sent, outcome } = await submitWith(marking, behaviour, { name: 'instant' })
    expect(outcome).toMatchObject({ outcome: 'unknown' })
    const found = await marking.lookUp?.(sent.attemptId, signal)
    expect(found).toMatch(/^cgt-/)
    const polled = { attemptId: sent.attemptId, providerTaskId: found ?? '', providerModel: sent.providerModel, echoed: true }
    expect(await endOf(async () => (await marking.poll([polled], signal))[0])).toMatchObject({ status: 'succeeded' })
    expect(await marking.identify(polled, signal)).toEqual({ attemptId: sent.attemptId })
    expect(provider.lookUp).toBeUndefined()
  },
)

test('a mark that is ignored, that lags or whose list breaks finds nothing, which proves nothing', async () => {
  const ignored = await acceptWith(marking, { name: 'ignore_token' }, { name: 'never_finishes' })
  expect(ignored.polled.echoed).toBe(false)
  expect(await marking.lookUp?.(ignored.sent.attemptId, signal)).toBeUndefined()
  const lagging = await acceptWith(marking, { name: 'lookup_lags', delay_ms: 1_000 }, { name: 'never_finishes' })
  expect(await marking.lookUp?.(lagging.sent.attemptId, signal)).toBeUndefined()
  const broken = await acceptWith(marking, { name: 'lookup_500', times: 1 }, { name: 'never_finishes' })
  await expect(marking.lookUp?.(broken.sent.attemptId, signal)).rejects.toThrow(ProviderTrouble)
  expect(await marking.lookUp?.(broken.sent.attemptId, signal)).toBe(broken.polled.providerTaskId)
})

test('another key is told apart from an absence', async () => {
  const { polled, sent } = await acceptWith(marking, { name: 'never_finishes' })
  const options = { url: `${simulator.url}/ark/api/v3`, submitTimeoutMs: 3_000, readTimeoutMs: 5_000, marksAttempts: true }
  const stranger = connectArk({ ...options, key: 'another-key-altogether' })
  await expect(stranger.poll([polled], signal)).rejects.toThrow(ProviderTrouble)
  await expect(stranger.lookUp?.(sent.attemptId, signal)).rejects.toThrow(ProviderTrouble)
  expect([await provider.checkKey(signal), await stranger.checkKey(signal)]).toEqual(['accepted', 'refused'])
  expect(await stranger.submit(submission('words'), signal)).toMatchObject({
    outcome: 'refused',
    cause: 'answered 401 AuthenticationError',
  })
  expect(await provider.identify({ ...polled, providerTaskId: 'cgt-unknown' }, signal)).toBeUndefined()
})
