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
import { generating } from '../words/running'
import { connectKling } from './connect-kling'

setDefaultTimeout(60_000)

const bounds = { submitTimeoutMs: 3_000, readTimeoutMs: 5_000 }
let simulator: OwnProcess
let dataDir: string
let provider: Connector
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'filmgate-kling-test-'))
  simulator = await startSimulator(dataDir)
  provider = connectKling({ url: `${simulator.url}/kling`, key: simulatorKey, ...bounds })
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
  if (!route?.words) throw new Error('Kling has a route for it')
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

test('from submit to a video, many of them in one poll', async () => {
  const [one, other] = [await acceptWith({ name: 'instant' }), await acceptWith({ name: 'never_finishes' })]
  const end = await endOf(one.poll)
  expect(end).toMatchObject({ status: 'succeeded' })
  const video = await fetch(end.status === 'succeeded' ? end.outputUrl : '')
  expect([video.status, video.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  const unknown = { ...one.polled, providerTaskId: '893605946402811985' }
  expect(await provider.poll([other.polled, unknown, one.polled], signal)).toEqual([generating(), { status: 'missing' }, end])
})

const refused = { outcome: 'refused', code: 'generation_unavailable' }

test.each<[Behaviour, object]>([
  [{ name: 'refuse', code: 'balance_exhausted' }, refused],
  [{ name: 'refuse', code: 'too_many_requests' }, refused],
  [{ name: 'refuse', code: 'unauthorized' }, refused],
  [{ name: 'refuse', code: 'forbidden' }, refused],
  [{ name: 'refuse', code: 'invalid_request' }, refused],
  [{ name: 'refuse', code: 'input_unreachable' }, refused],
  [{ name: 'refuse', code: 'internal_error' }, { outcome: 'unknown' }],
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
  [{ name: 'ignore_token' }, { status: 'missing' }],
  [{ name: 'read_500', times: 3 }, { status: 'succeeded' }],
  [{ name: 'lookup_500', times: 3 }, { status: 'succeeded' }],
  [{ name: 'unknown_status', times: 3 }, { status: 'succeeded' }],
  [{ name: 'completed_then_processing' }, { status: 'succeeded' }],
  [{ name: 'slow', delay_ms: 200 }, { status: 'succeeded' }],
])('an accepted one that meets %o', async (behaviour, expected) => {
  const { poll } = await acceptWith(behaviour, { name: 'instant' })
  expect(await endOf(poll)).toMatchObject(expected)
})

test.each<Behaviour>([{ name: 'accept_then_drop' }, { name: 'accept_then_500' }, { name: 'bad_json' }])(
  'an answer lost by %o is found by our own id, and a second submit under it buys nothing',
  async behaviour => {
    const { prompt, sent, outcome } = await submitWith(behaviour, { name: 'instant' })
    expect(outcome).toMatchObject({ outcome: 'unknown' })
    const providerTaskId = (await provider.lookUp?.(sent.attemptId, signal)) ?? ''
    expect(providerTaskId).toMatch(/^\d{18}$/)
    expect(await provider.submit(sent, signal)).toEqual({ outcome: 'unknown', cause: 'answered 400 1201: our id was sent before' })
    const polled = { attemptId: sent.attemptId, providerTaskId, providerModel: sent.providerModel, echoed: true }
    expect(await endOf(async () => (await provider.poll([polled], signal))[0])).toMatchObject({ status: 'succeeded' })
    const made = (await submitsOf(simulator.url, prompt)).map(submit => submit.generation_id)
    expect(new Set(made).size).toBe(1)
  },
)

test('a wrong id is put right by our own; what vanished, or was taken without our id, is found by neither', async () => {
  const wrong = await acceptWith({ name: 'wrong_id' }, { name: 'instant' })
  const providerTaskId = (await provider.lookUp?.(wrong.sent.attemptId, signal)) ?? ''
  const [right] = await provider.poll([{ ...wrong.polled, providerTaskId }], signal)
  expect(right).toMatchObject({ status: 'succeeded' })
  for (const name of ['vanishes', 'ignore_token']) {
    const { sent } = await acceptWith({ name }, { name: 'instant' })
    expect(await provider.lookUp?.(sent.attemptId, signal)).toBeUndefined()
  }
  const late = await acceptWith({ name: 'lookup_lags', delay_ms: 400 }, { name: 'instant' })
  expect(await provider.lookUp?.(late.sent.attemptId, signal)).toBeUndefined()
  const other = await acceptWith({ name: 'wrong_id', of: 'another' }, { name: 'never_finishes' })
  expect(await other.poll()).toEqual({ status: 'missing' })
})

test('another key is told apart from an absence, a pair of keys is none here, and an id is told to be ours', async () => {
  const { polled, sent } = await acceptWith({ name: 'never_finishes' })
  const url = `${simulator.url}/kling`
  for (const key of ['another-key-altogether', 'a1b2c3d4e5f6a7b8:s1e2c3r4e5t6k7e8y9']) {
    const stranger = connectKling({ url, key, ...bounds })
    await expect(stranger.poll([polled], signal)).rejects.toThrow(ProviderTrouble)
    expect(await stranger.checkKey(signal)).toBe('refused')
    await expect(stranger.lookUp?.(sent.attemptId, signal)).rejects.toThrow(ProviderTrouble)
    expect(await stranger.submit(submission('words'), signal)).toMatchObject({ outcome: 'refused', cause: 'answered 401 1002' })
  }
  expect(await provider.checkKey(signal)).toBe('accepted')
  expect(await provider.identify(polled, signal)).toEqual({ attemptId: sent.attemptId })
  expect(await provider.identify({ ...polled, providerTaskId: '893605946402811985' }, signal)).toBeUndefined()
})
