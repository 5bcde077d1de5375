import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { createLeaseKeeper } from '@filmgate/kit/jobs/lease-keeper'
import { createObjectStore } from '@filmgate/kit/object-store'
import { createOutbox } from '@filmgate/kit/outbox/outbox'
import { servers, type TestDatabase, testDatabase, testLog, until } from '@filmgate/kit/testing'
import { GenerationsEventSchema } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { decode } from '@filmgate/proto/topics'
import { attemptJob } from '../attempt/jobs'
import { createWriteTransition } from '../attempt/write-transitions'
import { createHolds } from '../holds/holds'
import { connectSimulator } from '../providers/simulator/connect-simulator'
import { findAttemptsOfTask } from '../review/review-repository'
import { createLiveRouting } from '../routing/live-routing'
import { createRouting } from '../routing/routing'
import type { OwnProcess } from '../testing/own-process'
import { behave, newTaskId, simulatorKey, startSimulator, submitsOf } from '../testing/test-system'
import { createSender } from './sender'
import { submitOrders } from './submit-orders'

let database: TestDatabase
let simulator: OwnProcess
let dataDir: string
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  dataDir = mkdtempSync(join(tmpdir(), 'filmgate-send-test-'))
  simulator = await startSimulator(dataDir)
})
afterAll(async () => {
  await simulator.kill('SIGKILL')
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const probes = { firstMs: 60_000, maxMs: 60_000 }
/** Providers here lose answers on purpose. */
const holdBounds = {
  ...{ submitHolds: false, unknownMax: 5, windowMs: 60_000, undecidedMax: 10, slowMs: 3_000 },
  ...{ unansweredProbes: probes, accountProbes: probes },
}

/** Longer than any provider here thinks. */
const submitTimeoutMs = 6_000

/** Submits one order, delivered so many times in one batch, over these providers (name → address) and waits until none of its attempts is being sent. */
async function dispatch(providers: Record<string, string>, { prompt = 'a boat', leaseMs = 5_000, admitInMs = 60_000, times = 1 } = {}) {
  const { sql } = database
  const published: Uint8Array[] = []
  const bus = {
    publish: async (events: { value: Uint8Array | null }[]) => void published.push(...events.flatMap(({ value }) => value ?? [])),
  }
  const outbox = createOutbox({ sql, bus, log: testLog })
  const connectors = Object.entries(providers).map(([provider, url]) =>
    connectSimulator({
      provider,
      url,
      key: simulatorKey,
      visibilityMs: 1_000,
      firstPollMs: 1_000,
      submitTimeoutMs,
      readTimeoutMs: 1_000,
    }),
  )
  const holds = createHolds({ ...holdBounds, sql, log: testLog })
  const file = { default: Object.keys(providers).map(provider => ({ provider })), models: {} }
  const routing = createLiveRouting(createRouting(file, connectors), holds.stateOf)
  const leases = createLeaseKeeper({ sql, log: testLog, kind: attemptJob, leaseMs, renewEveryMs: leaseMs / 4, goneIsLost: true })
  const write = createWriteTransition({ sql, outbox, topicPrefix: 'test', leaseMs, now: () => new Date(), log: testLog })
  const now = () => new Date()
  const inputs = createObjectStore({ ...servers.s3, bucket: 'filmgate-inputs' })
  const rest = { inputUrlSeconds: 60, callbackBaseUrl: undefined, submitsMax: 4, log: testLog }
  const planning = { attemptSecret: 'a secret', leaseMs, uploadTimeoutMs: 1_000, submitTimeoutMs }
  const sender = createSender({ generationTimeoutMs: 60_000, ...rest, ...planning, sql, inputs, routing, holds, leases, write, now })
  const taskId = newTaskId()
  const order = create(OrderSchema, {
    taskId,
    accountId: 'acc_1',
    model: 'alpha-h3',
    mode: 'text-to-video',
    prompt,
    durationSeconds: 1,
    resolution: '360p',
    aspectRatio: '16:9',
    admitBy: timestampFromMs(Date.now() + admitInMs),
  })
  await submitOrders(
    { ...planning, sql, outbox, topicPrefix: 'test', outputBaseUrl: '', askForPoster: async () => undefined, routing, holds, sender, now },
    Array.from({ length: times }, () => ({
      order,
      media: [],
      source: { topic: 'credits', bytes: new Uint8Array() },
      traceparent: undefined,
    })),
  )
  await sender.stop()
  await leases.stop()
  await outbox.stop()
  const attempts = await findAttemptsOfTask(sql, taskId)
  const told = published.map(value => decode(GenerationsEventSchema, value).event)
  return { attempts: attempts.map(({ number, provider, state, code, cause }) => ({ number, provider, state, code, cause })), told }
}

const nowhere = 'http://127.0.0.1:1'

test('what was certainly not sent goes to the next route, under another id', async () => {
  const prompt = `words ${randomUUID()}`
  const { attempts, told } = await dispatch({ first: nowhere, second: simulator.url }, { prompt })
  expect(attempts).toEqual([
    { number: 1, provider: 'first', state: 'refused', code: 'generation_unavailable', cause: 'not sent: ECONNREFUSED' },
    { number: 2, provider: 'second', state: 'accepted', code: null, cause: null },
  ])
  expect(told).toMatchObject([{ case: 'generationAccepted', value: { attemptNumber: 2 } }])
  expect((await submitsOf(simulator.url, prompt)).length).toBe(1)
})

test('an order that one batch brings three times is submitted once, and its refusal is published once', async () => {
  const prompt = `words ${randomUUID()}`
  const { attempts } = await dispatch({ first: simulator.url }, { prompt, times: 3 })
  expect(attempts).toMatchObject([{ number: 1, state: 'accepted' }])
  expect((await submitsOf(simulator.url, prompt)).length).toBe(1)
  const { told } = await dispatch({ first: simulator.url }, { admitInMs: -1, times: 3 })
  expect(told).toMatchObject([{ case: 'generationRefused' }])
})

test('without a further route it is refused', async () => {
  const { attempts, told } = await dispatch({ first: nowhere })
  expect(attempts).toEqual([
    { number: 1, provider: 'first', state: 'refused', code: 'generation_unavailable', cause: 'not sent: ECONNREFUSED' },
  ])
  expect(told).toMatchObject([{ case: 'generationRefused', value: { attemptNumber: 1 } }])
})

test('refused content is not offered to the next provider', async () => {
  const prompt = `words ${randomUUID()}`
  await behave(simulator.url, prompt, { name: 'refuse_content' })
  const { attempts } = await dispatch({ first: simulator.url, second: simulator.url }, { prompt })
  expect(attempts.map(({ number, state, code }) => [number, state, code])).toEqual([[1, 'refused', 'prompt_rejected']])
})

test('an unknown outcome never goes to the next provider', async () => {
  const prompt = `words ${randomUUID()}`
  await behave(simulator.url, prompt, { name: 'accept_then_500' })
  const { attempts } = await dispatch({ first: simulator.url, second: simulator.url }, { prompt })
  expect(attempts.map(({ number, state }) => [number, state])).toEqual([[1, 'unknown']])
  expect((await submitsOf(simulator.url, prompt)).length).toBe(1)
})

test('a lease is renewed while its provider thinks', async () => {
  const prompt = `words ${randomUUID()}`
  await behave(simulator.url, prompt, { name: 'accept_late', delay_ms: 3_000 })
  expect((await dispatch({ first: simulator.url }, { prompt, leaseMs: 1_200 })).attempts[0]?.state).toBe('accepted')
})

test('a lease that is taken away ends the call, and what comes of it is not written', async () => {
  const prompt = `words ${randomUUID()}`
  await behave(simulator.url, prompt, { name: 'accept_late', delay_ms: 900 })
  const dispatched = dispatch({ first: simulator.url }, { prompt, leaseMs: 1_200 })
  const taken = await until('the attempt is durable', async () => {
    const [row] = await database.sql<{ id: string }[]>`
      update job set epoch = epoch + 1 where owner is not null and lease_until > now() returning id`
    return row?.id
  })
  expect((await dispatched).attempts[0]?.state).toBe('sending')
  await database.sql`delete from job where id = ${taken}`
})
