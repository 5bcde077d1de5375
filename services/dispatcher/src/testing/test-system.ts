import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { type Bus, createBus } from '@filmgate/kit/bus/bus'
import { applyTopics } from '@filmgate/kit/bus/topics/topics'
import type { Sql } from '@filmgate/kit/database/postgres'
import { createObjectStore, type ObjectStore } from '@filmgate/kit/object-store'
import { servers, testDatabase, testLog, until } from '@filmgate/kit/testing'
import type { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { GenerationPhase, type GenerationsEvent } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import type { VerifiedMediaSchema } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import type { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { decode, encode, topicName, topicPlan, topics } from '@filmgate/proto/topics'
import { insertAttempts } from '../attempt/attempt-repository'
import { newAttemptId } from './attempt-id'
import { type OwnProcess, startOwn } from './own-process'

export type Behaviour = { name: string; [parameter: string]: unknown }
export type GenerationEvent = GenerationsEvent['event']
export type Submit = { client_task_id: string; generation_id: string | null; answered: string }
type EventCase = NonNullable<GenerationEvent['case']>
type Values = { [C in EventCase]: Extract<GenerationEvent, { case: C }>['value'] }
/** It tells what is waited for, or how far it is. */
const isWaiting = (event: GenerationEvent): boolean =>
  event.case === 'generationProgressed' && (event.value.heldAfter !== undefined || event.value.phase === GenerationPhase.RENDERING)
type OrderInit = MessageInitShape<typeof OrderSchema>

export const simulatorKey = 'a-key-of-the-test-simulator'
export const operatorToken = 'a-token-of-the-test-operators'
const partitions = 4

/** Short bounds, so that what takes minutes in production takes seconds here. */
const quick = {
  FILMGATE_ATTEMPT_LEASE_MS: '2000',
  FILMGATE_SUBMIT_TIMEOUT_MS: '1500',
  FILMGATE_PROVIDER_READ_TIMEOUT_MS: '2000',
  FILMGATE_CLAIM_EVERY_MS: '50',
  SIMULATOR_VISIBILITY_MS: '3000',
  FILMGATE_OUTPUT_RETRY_FIRST_MS: '100',
  FILMGATE_OUTPUT_RETRY_MAX_MS: '200',
  FILMGATE_OUTPUT_RETRY_FOR_MS: '5000',
  FILMGATE_OUTPUT_REVIEW_AFTER_MS: '4000',
  FILMGATE_OUTPUT_REVIEW_RETRY_MS: '500',
  FILMGATE_OUTPUT_REREAD_MS: '200',
  FILMGATE_OUTPUT_GONE_SIGHTINGS_MIN: '3',
  FILMGATE_OUTPUT_GONE_MS: '400',
  FILMGATE_OUTPUT_BYTES_MAX: '3000000',
  // Tests make providers fail on purpose.
  FILMGATE_SUBMIT_HOLDS: '0',
}

export type TestSystem = Awaited<ReturnType<typeof startTestSystem>>

/** A database, topics, a simulator and a dispatcher of a test's own, on the real servers. */
export async function startTestSystem(own: Record<string, string> | ((simulatorUrl: string) => Record<string, string>) = {}) {
  const prefix = `test-${randomUUID()}`
  const database = await testDatabase(join(import.meta.dir, '../../migrations'))
  await until('the topics are there', () => declareTopics(prefix), 60_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'filmgate-dispatcher-test-'))
  const simulator = await startSimulator(dataDir)
  const bus = createBus({ brokers: servers.kafkaBrokers, clientId: prefix, log: testLog })
  const env = typeof own === 'function' ? own(simulator.url) : own
  const dispatcherEnv = { ...environment(prefix, database.url, simulator.url), ...quick, ...env }
  let dispatcher = await startOwn('dispatcher', dispatcherEnv)

  const seen: { event: GenerationEvent; traceparent: string | undefined }[] = []
  const consumer = bus.consume<GenerationEvent>({
    group: `${prefix}-test`,
    topics: { [topicName(prefix, 'generations')]: bytes => decode(topics.generations.schema, bytes).event },
    handle: async messages => void seen.push(...messages),
  })

  const orders = publisher(bus, prefix, database.sql)
  const eventsOf = (taskId: string) => seen.map(one => one.event).filter(event => event.value?.taskId === taskId)
  return {
    prefix,
    bus,
    simulator,
    sql: database.sql as Sql,
    outputs: objectStore('filmgate-outputs'),
    inputs: objectStore('filmgate-inputs'),
    seen,
    eventsOf,
    /** Without those that tell only what is waited for or how far it is: how many there are depends on the times of tries. */
    casesOf: (taskId: string) => eventsOf(taskId).flatMap(event => (isWaiting(event) ? [] : [event.case])),
    /** Waits for the first event of that kind about the task. */
    async event<C extends EventCase>(taskId: string, wanted: C, timeoutMs = 150_000): Promise<Values[C]> {
      const event = await until(`${wanted} of ${taskId}`, () => eventsOf(taskId).find(one => one.case === wanted), timeoutMs)
      return event.value as Values[C]
    },
    ...orders,
    /** Has the simulator treat submits whose prompt holds `words` so. */
    behave: (words: string, ...behaviours: Behaviour[]) => behave(simulator.url, words, ...behaviours),
    /** Reserves an order in words of its own that the simulator treats so. */
    async reserveWith(...behaviours: Behaviour[]): Promise<{ prompt: string; taskId: string }> {
      const prompt = `words ${randomUUID()}`
      await behave(simulator.url, prompt, ...behaviours)
      return { prompt, taskId: await orders.reserve({ prompt }) }
    },
    submitsOf: (words: string) => submitsOf(simulator.url, words),
    async submitCount(words: string): Promise<number> {
      const answer = await admin(simulator.url, 'GET', `/submits?prompt_includes=${encodeURIComponent(words)}`)
      return (answer as { count: number }).count
    },
    /** What reads at the provider show: all, nothing, or what was accepted longer ago. */
    show: (view: { shows: 'all' | 'nothing' } | { shows: 'older'; lag_ms: number }) => admin(simulator.url, 'PUT', '/view', view),
    release: (providerTaskId: string) => admin(simulator.url, 'POST', `/generations/${providerTaskId}/release`, {}),
    operator: (method: string, path: string, body?: object) =>
      fetch(`${dispatcher.url}/operator${path}`, {
        method,
        headers: {
          authorization: `Bearer ${operatorToken}`,
          'content-type': 'application/json',
          'x-filmgate-operator': body && 'by' in body ? String(body.by) : 'ada',
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    dispatcherUrl: () => dispatcher.url,
    dispatcherPid: () => dispatcher.pid,
    killDispatcher: (signal: NodeJS.Signals) => dispatcher.kill(signal),
    async startDispatcher(changed: Record<string, string> = {}) {
      dispatcher = await startOwn('dispatcher', { ...dispatcherEnv, ...changed })
    },
    async stop() {
      await dispatcher.kill('SIGTERM')
      await consumer.stop()
      await bus.stop()
      await simulator.kill('SIGKILL')
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** For a moment after it created a topic, a busy broker answers that there is none. */
const declareTopics = (prefix: string): Promise<boolean> =>
  applyTopics({ brokers: servers.kafkaBrokers, replicas: 1, plan: topicPlan(prefix, partitions) }).then(
    () => true,
    () => false,
  )

/** Publishes what the services before the dispatcher publish, and the gateway when a provider calls back. */
function publisher(bus: Bus, prefix: string, sql: Sql) {
  return {
    /** Publishes that an order's credits are reserved; returns its task's id. */
    async reserve(order: OrderInit = {}, traceparent?: string): Promise<string> {
      const whole = newOrder(order)
      const value = encode(topics.credits.schema, reserved(whole))
      await bus.publish([{ topic: topicName(prefix, 'credits'), key: whole.accountId ?? '', value, traceparent, eventId: randomUUID() }])
      return whole.taskId ?? ''
    },
    /** Inserts what a dispatcher leaves that is killed between its commit and its call: an attempt nobody sends, with a lease that runs out. */
    async reserveAsLost(order: OrderInit = {}, { provider = 'simulator', providerModel = '' } = {}): Promise<string> {
      const whole = newOrder(order)
      const bytes = encode(topics.credits.schema, reserved(whole))
      const id = newAttemptId()
      const { taskId = '', accountId = '', model = '' } = whole
      const row = { id, taskId, accountId, number: 1, provider, providerModel: providerModel || model, model, state: 'sending' as const }
      const rest = {
        uploads: false,
        traceparent: null,
        absenceAfterMs: 1_500,
        generationMsMax: 0,
        code: null,
        cause: null,
        source: { topic: 'credits' as const, bytes },
      }
      await insertAttempts(sql, [{ ...row, ...rest }], { owner: 'killed', leaseMs: 500 })
      return taskId
    },
    /** Publishes that an order's media are verified and where their managed copies are. */
    async verify(order: OrderInit, media: MessageInitShape<typeof VerifiedMediaSchema>[]): Promise<void> {
      const whole = newOrder(order)
      const value = encode(topics.media.schema, { event: { case: 'mediaVerified', value: { order: whole, media } } })
      await bus.publish([{ topic: topicName(prefix, 'media'), key: whole.accountId ?? '', value, eventId: randomUUID() }])
    },
    /** As the gateway does when somebody wants the task to end. */
    async cancel(taskId: string, accountId: string): Promise<void> {
      const value = encode(topics.requests.schema, { event: { case: 'cancelRequested', value: { taskId, accountId, model: 'alpha-h3' } } })
      await bus.publish([{ topic: topicName(prefix, 'requests'), key: accountId, value, eventId: randomUUID() }])
    },
    /** As the gateway does when a provider calls back; `providerTaskId` where it verified the signature. */
    async callBack(attemptToken: string, { provider = 'simulator', providerTaskId = '' } = {}): Promise<void> {
      const value = encode(topics.callbacks.schema, {
        event: { case: 'providerCalledBack', value: { provider, attemptToken, providerTaskId } },
      })
      await bus.publish([{ topic: topicName(prefix, 'callbacks'), key: attemptToken, value, eventId: randomUUID() }])
    },
  }
}

export const startSimulator = (dataDir: string, env: Record<string, string> = {}): Promise<OwnProcess> =>
  startOwn('simulator', { SIMULATOR_KEY: simulatorKey, SIMULATOR_DATA_DIR: dataDir, ...env })

export async function behave(simulatorUrl: string, words: string, ...behaviours: Behaviour[]): Promise<void> {
  await admin(simulatorUrl, 'POST', '/behaviours', { match: { prompt_includes: words }, behaviours })
}

/** The first submit whose prompt holds `words` meets these; another one does not. */
export async function behaveOnce(simulatorUrl: string, words: string, ...behaviours: Behaviour[]): Promise<void> {
  await admin(simulatorUrl, 'POST', '/behaviours', { match: { prompt_includes: words }, behaviours, times: 1 })
}

export async function submitsOf(simulatorUrl: string, words: string): Promise<Submit[]> {
  const answer = await admin(simulatorUrl, 'GET', `/submits?prompt_includes=${encodeURIComponent(words)}`)
  return (answer as { data: Submit[] }).data
}

async function admin(url: string, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${simulatorKey}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/admin${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`the simulator answered ${answer.status}: ${await answer.text()}`)
  return answer.status === 204 ? undefined : await answer.json()
}

const reserved = (order: OrderInit): MessageInitShape<typeof CreditsEventSchema> => ({
  event: { case: 'creditsReserved', value: { order, available: 0n, balanceVersion: 1n } },
})

const objectStore = (bucket: string): ObjectStore => createObjectStore({ ...servers.s3, bucket })

export const newTaskId = () => `vt_${randomBytes(13).toString('hex')}`

/** A text-to-video order that may be submitted for a minute, unless `order` says otherwise. */
const newOrder = (order: OrderInit): OrderInit => ({
  taskId: newTaskId(),
  accountId: `acc_${randomBytes(8).toString('hex')}`,
  keyId: 'key_1',
  model: 'alpha-h3',
  mode: 'text-to-video',
  prompt: 'a paper boat on a quiet lake',
  durationSeconds: 1,
  resolution: '360p',
  aspectRatio: '16:9',
  watermark: false,
  credits: 50n,
  createdAt: timestampFromMs(Date.now()),
  admitBy: timestampFromMs(Date.now() + 60_000),
  ...order,
})

const environment = (prefix: string, databaseUrl: string, simulatorUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  KAFKA_BROKERS: servers.kafkaBrokers.join(','),
  FILMGATE_TOPIC_PREFIX: prefix,
  S3_ENDPOINT: servers.s3.endpoint,
  S3_REGION: servers.s3.region,
  S3_ACCESS_KEY_ID: servers.s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: servers.s3.secretAccessKey,
  S3_INPUTS_BUCKET: 'filmgate-inputs',
  S3_OUTPUTS_BUCKET: 'filmgate-outputs',
  S3_OUTPUTS_PUBLIC_READ: '1',
  FILMGATE_OUTPUT_BASE_URL: `${servers.s3.endpoint}/filmgate-outputs`,
  FILMGATE_OPERATOR_TOKEN: operatorToken,
  FILMGATE_ATTEMPT_SECRET: 'a-secret-of-the-attempts-of-tests',
  FILMGATE_SIMULATOR_URL: simulatorUrl,
  SIMULATOR_KEY: simulatorKey,
})
