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
import { connectMiniMax } from './connect-minimax'

setDefaultTimeout(60_000)

let simulator: OwnProcess
let dataDir: string
let provider: Connector
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'filmgate-minimax-test-'))
  simulator = await startSimulator(dataDir)
  provider = connectMiniMax({ url: `${simulator.url}/minimax`, key: simulatorKey, submitTimeoutMs: 3_000, readTimeoutMs: 5_000 })
})
afterAll(async () => {
  await simulator.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

const { signal } = new AbortController()
/** An order that goes to each form. */
const forms = {
  H3: { model: 'alpha-h3', durationSeconds: 4, resolution: '768p', aspectRatio: '16:9' },
  Hailuo: { model: 'kappa-2.3', durationSeconds: 6, resolution: '768p', aspectRatio: 'adaptive' },
}
type Form = keyof typeof forms
const each = Object.keys(forms) as Form[]

function submission(form: Form, prompt: string) {
  const order = create(OrderSchema, { ...forms[form], mode: 'text-to-video', prompt, watermark: false, credits: 1n })
  const [route] = createRouting(readRoutes(undefined), [provider]).routesOf(order)
  if (!route?.words) throw new Error('MiniMax has a route for it')
  const { providerModel, words } = route
  return { attemptId: `at_${crypto.randomUUID()}`, providerModel, words, order, media: [], callbackUrl: undefined }
}

/** Submits an order that the simulator treats so, and says what came of that. */
async function submitWith(form: Form, ...behaviours: Behaviour[]) {
  const prompt = `words ${crypto.randomUUID()}`
  await behave(simulator.url, prompt, ...behaviours)
  const sent = submission(form, prompt)
  return { prompt, sent, outcome: await provider.submit(sent, signal) }
}

/** Accepts it and gives what polls it. */
async function acceptWith(form: Form, ...behaviours: Behaviour[]) {
  const { sent, outcome } = await submitWith(form, ...behaviours)
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

test('from submit to a video, in both forms', async () => {
  for (const form of each) {
    const end = await endOf((await acceptWith(form, { name: 'instant' })).poll)
    expect(end).toMatchObject({ status: 'succeeded' })
    const video = await fetch(end.status === 'succeeded' ? end.outputUrl : '')
    expect([video.status, video.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  }
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
  for (const form of each) {
    const { prompt, outcome } = await submitWith(form, behaviour, { name: 'never_finishes' })
    expect(outcome).toMatchObject(expected)
    if (behaviour.name !== 'accept_late') expect((await submitsOf(simulator.url, prompt)).length).toBe(1)
  }
})

test.each<[Behaviour, object]>([
  [{ name: 'fails_after_accept' }, { status: 'failed', code: 'generation_failed' }],
  [{ name: 'moderated' }, { status: 'failed', code: 'output_moderated' }],
  [{ name: 'vanishes' }, { status: 'missing' }],
  [{ name: 'wrong_id' }, { status: 'missing' }],
  [{ name: 'read_500', times: 3 }, { status: 'succeeded' }],
  [{ name: 'unknown_status', times: 3 }, { status: 'succeeded' }],
  [{ name: 'completed_then_processing' }, { status: 'succeeded' }],
  [{ name: 'ignore_token' }, { status: 'succeeded' }],
  [{ name: 'slow', delay_ms: 200 }, { status: 'succeeded' }],
])('an accepted one that meets %o', async (behaviour, expected) => {
  for (const form of each) expect(await endOf((await acceptWith(form, behaviour, { name: 'instant' })).poll)).toMatchObject(expected)
})

test('another key, and the other form, are told apart from an absence', async () => {
  const url = `${simulator.url}/minimax`
  const stranger = connectMiniMax({ url, key: 'another-key-altogether', submitTimeoutMs: 3_000, readTimeoutMs: 5_000 })
  expect([await provider.checkKey(signal), await stranger.checkKey(signal)]).toEqual(['accepted', 'refused'])
  for (const form of each) {
    const { polled } = await acceptWith(form, { name: 'never_finishes' })
    await expect(stranger.poll([polled], signal)).rejects.toThrow(ProviderTrouble)
    expect(await stranger.submit(submission(form, 'words'), signal)).toMatchObject({ ...refused, cause: expect.stringMatching(/ 1004$/) })
    expect(await provider.identify(polled, signal)).toEqual({ attemptId: null })
    expect(await provider.identify({ ...polled, providerTaskId: '123456789012345' }, signal)).toBeUndefined()
    const other = form === 'H3' ? 'MiniMax-Hailuo-2.3' : 'MiniMax-H3'
    expect(await provider.identify({ ...polled, providerModel: other }, signal)).toBeUndefined()
  }
})
