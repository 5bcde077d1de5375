import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { MediaKind, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { readRoutes } from '../../routing/read-routes'
import { createRouting } from '../../routing/routing'
import { newAttemptId } from '../../testing/attempt-id'
import { orangeSquare } from '../../testing/orange-square'
import type { OwnProcess } from '../../testing/own-process'
import { type Behaviour, behave, behaveOnce, simulatorKey, startSimulator, submitsOf } from '../../testing/test-system'
import { ProviderTrouble } from '../call'
import type { Connector, PollAnswer } from '../connector'
import { wordFor } from '../words/words'
import { connectPixverse } from './connect-pixverse'
import { requestBody } from './request-body'

setDefaultTimeout(60_000)

let simulator: OwnProcess
let dataDir: string
let provider: Connector
/** Our store, of one picture. */
const store = Bun.serve({ port: 0, fetch: () => new Response(orangeSquare, { headers: { 'content-type': 'image/png' } }) })
const timeouts = { submitTimeoutMs: 3_000, readTimeoutMs: 5_000, uploadTimeoutMs: 5_000 }
const connect = (key = simulatorKey) => connectPixverse({ url: `${simulator.url}/pixverse/openapi/v2`, key, ...timeouts })
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'filmgate-pixverse-test-'))
  simulator = await startSimulator(dataDir)
  provider = connect()
})
afterAll(async () => {
  await simulator.kill('SIGKILL')
  await store.stop(true)
  rmSync(dataDir, { recursive: true, force: true })
})

const { signal } = new AbortController()
const order = (prompt: string) =>
  create(OrderSchema, {
    ...{ model: 'lambda-v6', mode: 'text-to-video', prompt, durationSeconds: 1, resolution: '360p', aspectRatio: '16:9' },
    ...{ generateAudio: false, watermark: false, credits: 1n },
  })

function submission(prompt: string) {
  const [route] = createRouting(readRoutes(undefined), [provider]).routesOf(order(prompt))
  if (!route?.words) throw new Error('PixVerse has a route for it')
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

test('one that was sent twice under one trace id is one video', async () => {
  const prompt = `words ${crypto.randomUUID()}`
  await behaveOnce(simulator.url, prompt, { name: 'accept_then_drop' }, { name: 'never_finishes' })
  const sent = submission(prompt)
  expect(await provider.submit(sent, signal)).toMatchObject({ outcome: 'unknown' })
  const [first] = await submitsOf(simulator.url, prompt)
  expect(await provider.submit(sent, signal)).toMatchObject({ outcome: 'accepted', providerTaskId: first?.generation_id ?? '' })
  expect(provider.capabilities.ownId).toBe('idempotent')
})

test('another key is told apart from an absence', async () => {
  const { polled } = await acceptWith({ name: 'never_finishes' })
  const stranger = connect('another-key-altogether')
  await expect(stranger.poll([polled], signal)).rejects.toThrow(ProviderTrouble)
  expect([await provider.checkKey(signal), await stranger.checkKey(signal)]).toEqual(['accepted', 'refused'])
  expect(await stranger.submit(submission('words'), signal)).toMatchObject({ outcome: 'refused', cause: 'answered 401 10001' })
  expect(await stranger.uploadInputs?.(picturesAt('image_url'), signal)).toMatchObject(refused)
  expect(await provider.identify(polled, signal)).toEqual({ attemptId: null })
  expect(await provider.identify({ ...polled, providerTaskId: '1' }, signal)).toBeUndefined()
})

const picturesAt = (...fields: string[]) =>
  fields.map(field => ({ kind: MediaKind.IMAGE, field, index: 0, url: `http://127.0.0.1:${store.port}/${field}.png` }))

/** The ids that PixVerse gave the pictures. */
async function uploaded(...fields: string[]) {
  const answer = fields.length > 0 ? await provider.uploadInputs?.(picturesAt(...fields), signal) : undefined
  if (answer?.outcome === 'refused') throw new Error(answer.cause)
  return answer?.media ?? []
}

test('every word of every default route to PixVerse is one that its kind takes', async () => {
  const marked = `form ${crypto.randomUUID()}`
  // What has the right form meets this refusal, and makes nothing.
  await behave(simulator.url, marked, { name: 'refuse', code: 'too_many_requests' })
  const file = readRoutes(undefined)
  const faults: string[] = []
  let tried = 0
  for (const [model, routes] of Object.entries(file.models))
    for (const { mode = '', words: own, model: theirs, always } of routes.filter(route => route.provider === 'pixverse')) {
      const words = { ...file.words?.pixverse, ...own }
      const valuesOf = (field: string): string[] => {
        const { values = [] } = wordFor(words, field) ?? {}
        return Array.isArray(values) ? values : Object.keys(values)
      }
      const { min = 0, max = 0 } = wordFor(words, 'duration') ?? {}
      const { characters_max: longest = 0 } = wordFor(words, 'prompt') ?? {}
      const media = await uploaded(...Object.keys(words).filter(field => /_urls?$/.test(field)))
      const mores: MessageInitShape<typeof OrderSchema>[] = [
        ...[{}, { generateAudio: true }, { watermark: true }, { seed: 0n }, { seed: 2_147_483_647n }],
        { prompt: marked.padEnd(longest, '.') },
      ]
      for (const durationSeconds of [min, max])
        for (const resolution of valuesOf('resolution'))
          for (const aspectRatio of valuesOf('aspect_ratio'))
            for (const more of mores) {
              const wanted = create(OrderSchema, { model, mode, prompt: marked, durationSeconds, resolution, aspectRatio, ...more })
              const { path, body } = requestBody({
                ...{
                  attemptId: newAttemptId(),
                  providerModel: String(theirs),
                  order: wanted,
                  words: { words, always: always ?? {} },
                  media,
                },
                callbackUrl: undefined,
              })
              const answer = await fetch(`${simulator.url}/pixverse/openapi/v2/${path}`, {
                method: 'POST',
                headers: { 'api-key': simulatorKey, 'ai-trace-id': crypto.randomUUID(), 'content-type': 'application/json' },
                body: JSON.stringify(body),
              })
              const { ErrCode } = (await answer.json()) as { ErrCode: number }
              tried += 1
              if (ErrCode !== 500044) faults.push(`${model} ${path} ${JSON.stringify(body)}: ${answer.status} ${ErrCode}`)
            }
    }
  expect(faults).toEqual([])
  expect(tried).toBeGreaterThan(300)
})
