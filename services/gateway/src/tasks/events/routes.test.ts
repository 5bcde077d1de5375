import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { renderError } from '@filmgate/kit/http/render-error'
import { createReadiness } from '@filmgate/kit/http/server'
import { startPublicServer } from '@filmgate/kit/http/start-public-server'
import { insertOutbox } from '@filmgate/kit/outbox/outbox-repository'
import { servers, type TestDatabase, testDatabase, testLog, until } from '@filmgate/kit/testing'
import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { GenerationPhase, GenerationsEventSchema } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { Elysia } from 'elysia'
import { uuidv7 } from 'uuidv7'
import { reasons } from '../../errors'
import type { PipelineEvent } from '../../projection/pipeline-event'
import { project } from '../../projection/project'
import { connectRedis } from '../../redis/connect-redis'
import { createFindShownTask } from '../find-task'
import { newTaskId } from '../task-id'
import { insertTasks } from '../task-repository'
import { createTaskWatch, type TaskWatch } from '../watch'
import { listEventsOf } from './event-repository'
import { createEventStreams } from './event-streams'
import { createReadEvents } from './read-events'
import { taskEventRoutes } from './routes'

const accountId = 'acct_events'
const taken = { taken: true, left: 1, waitMs: 0 }
let database: TestDatabase
const replicas: Awaited<ReturnType<typeof startReplica>>[] = []
const revoked = new Set<string>()

beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../../migrations'))
  await database.sql`insert into account (id, name) values (${accountId}, 'test')`
  replicas.push(await startReplica(), await startReplica())
})
afterAll(async () => {
  await Promise.all(replicas.map(replica => replica.stop()))
  await database.drop()
})

/** A gateway's part that tells events, on a port of its own. Each key is an account's: `sk_<account>_<anything>`. */
async function startReplica(limits = { streamsMax: 1_000, streamsPerKeyMax: 1_000 }) {
  const { sql } = database
  const [redis, subscriber] = [connectRedis(servers.redisUrl, testLog), connectRedis(servers.redisUrl, testLog, true)]
  const watch: TaskWatch = createTaskWatch({ sql, redis, subscriber, log: testLog })
  const eventStreams = createEventStreams(limits)
  const app = new Elysia({ normalize: false }).use(renderError(testLog, reasons)).use(
    taskEventRoutes({
      ...{ watch, eventStreams, log: testLog, findShownTask: createFindShownTask(sql), readEvents: createReadEvents(sql) },
      findCaller: async key =>
        revoked.has(key) ? undefined : { accountId: key.startsWith('sk_other') ? 'acct_other' : accountId, keyId: key },
      takeToken: async () => taken,
      takeAddressToken: () => taken,
      giveAddressTokenBack: () => {},
      clientAddress: () => '127.0.0.1',
      ...{ rateLimit: 30, addressRateLimit: 120 },
    }),
  )
  const config = { port: 0, metricsPort: 0, trustedProxies: 1 }
  const server = await startPublicServer({ app, config, log: testLog, readiness: createReadiness({}) })
  let stopping: Promise<unknown> | undefined
  const stop = async () => {
    await Promise.all([server.drain(0), eventStreams.endIn(0)])
    await Promise.all([watch.stop(), eventStreams.stop()])
    for (const connection of [redis, subscriber]) connection.disconnect()
  }
  return {
    port: server.port,
    /** As the replica does that reads an event from Kafka. */
    tell: (...events: PipelineEvent[]) => project({ sql, wake: watch.wake }, events.map(messageOf)),
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

const messageOf = (event: PipelineEvent) => ({
  ...{ topic: 't', partition: 0, offset: '0', key: '', event, eventId: uuidv7(), traceparent: undefined, timestampMs: Date.now() },
})
const credits = (event: NonNullable<Parameters<typeof create<typeof CreditsEventSchema>>[1]>['event']) =>
  create(CreditsEventSchema, { event }).event
const generation = (event: NonNullable<Parameters<typeof create<typeof GenerationsEventSchema>>[1]>['event']) =>
  create(GenerationsEventSchema, { event }).event

async function newTask(): Promise<string> {
  const id = newTaskId()
  await insertTasks(
    database.sql,
    [
      {
        ...{ id, accountId, keyId: 'k', surface: 'api', prompt: 'a cat', idempotencyKey: id, fingerprint: Buffer.alloc(32, 7) },
        ...{ model: 'alpha-h3', mode: 'text-to-video', resolution: '768p', billedSeconds: 5, request: null, breakdown: [], tags: {} },
        ...{ priceVersion: 'p1', createdAt: new Date(), admitBy: new Date(), eventId: crypto.randomUUID() },
      },
    ],
    insertOutbox(database.sql, []),
    600_000,
  )
  return id
}
const stepsOf = (taskId: string) => {
  const of = { taskId, accountId }
  return {
    reserved: credits({ case: 'creditsReserved', value: { order: { ...of, credits: 40n } } }),
    accepted: generation({ case: 'generationAccepted', value: of }),
    running: (percent: number) => generation({ case: 'generationProgressed', value: { ...of, phase: GenerationPhase.RENDERING, percent } }),
    copying: generation({ case: 'generationProgressed', value: { ...of, phase: GenerationPhase.COPYING } }),
    completed: generation({ case: 'generationCompleted', value: { ...of, videoUrl: 'https://v' } }),
    settled: credits({ case: 'creditsSettled', value: { ...of, credits: 40n } }),
  }
}

type Stream = { status: number; headers: Headers; events: { id: string; type: string }[]; text: string; ended: boolean; leave(): void }
async function follow(port: number, taskId: string, { after, key = 'sk_own' }: { after?: string; key?: string } = {}): Promise<Stream> {
  const leaving = new AbortController()
  const response = await fetch(`http://127.0.0.1:${port}/tasks/${taskId}/events`, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) },
    signal: leaving.signal,
    keepalive: false,
  })
  const { status, headers } = response
  const stream: Stream = { status, headers, events: [], text: '', ended: false, leave: () => leaving.abort() }
  void (async () => {
    const decoder = new TextDecoder()
    try {
      for await (const piece of response.body ?? []) {
        stream.text += decoder.decode(piece)
        stream.events = [...stream.text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
      }
    } finally {
      stream.ended = true
    }
  })().catch(() => {})
  return stream
}
const typesOf = ({ events }: Pick<Stream, 'events'>) => events.map(({ type }) => type)
const list = async (port: number, path: string, key = 'sk_own') => {
  const response = await fetch(`http://127.0.0.1:${port}/tasks/${path}/events`, { headers: { authorization: `Bearer ${key}` } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const ends = (stream: Stream) => until('the stream to end', () => stream.ended)

test('a stream tells each event once, whichever replica merges it, and ends with the task; resumed elsewhere nothing is lost or repeated', async () => {
  const [here, there] = replicas as [(typeof replicas)[0], (typeof replicas)[0]]
  const id = await newTask()
  const { reserved, accepted, running, copying, completed, settled } = stepsOf(id)
  await here.tell(reserved)
  const first = await follow(here.port, id)
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  await until('the first event', () => first.events.length === 1)
  await there.tell(accepted)
  await there.tell(running(30))
  await until('events merged elsewhere', () => first.events.length === 3)
  first.leave()
  await here.tell(running(60))
  const second = await follow(there.port, id, { after: first.events.at(-1)?.id })
  await until('what came meanwhile', () => second.events.length === 1)
  await here.tell(copying, completed)
  await here.tell(settled)
  await ends(second)
  const whole = [...first.events, ...second.events]
  expect(typesOf({ events: whole })).toEqual(['queued', 'accepted', 'running', 'running', 'copying', 'completed'])
  expect(whole.map(event => event.id)).toEqual(['1', '2', '3', '4', '5', '6'])
  expect(second.text).toMatch(/^retry: [1-5]\d{3}\n\n:\n\nid: 4\ndata: \{"id":"4",/)
  const told = await list(here.port, id)
  expect(JSON.parse(told.text)).toEqual({ object: 'list', data: whole })
  expect((await follow(here.port, id, { after: '6' })).status).toBe(204)
})

test('two replicas that merge events of a task at once number them so that no reader misses one', async () => {
  const id = await newTask()
  const { reserved, accepted, running } = stepsOf(id)
  await replicas[0]?.tell(reserved, accepted)
  let merging = true
  const seen: string[] = []
  const reading = (async () => {
    while (merging) {
      const rows = (await listEventsOf(database.sql, [id])).map(({ details }) => JSON.stringify(details))
      expect(rows.slice(0, seen.length)).toEqual(seen)
      seen.splice(0, seen.length, ...rows)
    }
  })()
  const told = replicas.slice(0, 2).map(async ({ tell }, replica) => {
    for (let step = 0; step < 100; step++) await tell(running(2 * step + replica), running(500 + 2 * step + replica))
  })
  await Promise.all(told)
  merging = false
  await reading
  expect(await listEventsOf(database.sql, [id])).toHaveLength(402)
})

test('the same as JSON, with the pause of a poll while it runs', async () => {
  const id = await newTask()
  await replicas[0]?.tell(stepsOf(id).reserved)
  const { status, headers, text } = await list(replicas[0]?.port ?? 0, id)
  expect([status, headers.get('retry-after'), headers.get('vary')]).toEqual([200, '10', 'Accept'])
  const { data } = JSON.parse(text)
  expect(data).toEqual([{ id: '1', at: expect.any(String), type: 'queued', credits_used: 40 }])
})

test('another account’s task, an unknown one and one of no reservation answer alike, as a list and as a stream; an id that is none is named', async () => {
  const { port } = replicas[0] ?? { port: 0 }
  const [foreign, declined] = [await newTask(), await newTask()]
  await replicas[0]?.tell(stepsOf(foreign).reserved)
  const answers = [await list(port, foreign, 'sk_other'), await list(port, declined), await list(port, `vt_${'a'.repeat(26)}`)]
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(404)
  const stream = await follow(port, foreign, { key: 'sk_other' })
  await ends(stream)
  expect([stream.status, stream.text]).toEqual([404, answers[0]?.text ?? ''])
  expect((await list(port, 'a.b')).status).toBe(400)
  for (const after of ['-1', 'x', '1e3', '9'.repeat(10), '1, 2']) expect((await follow(port, foreign, { after })).status).toBe(400)
})

test('a key holds so many streams and a replica so many; each that ends gives its place back', async () => {
  const replica = await startReplica({ streamsMax: 3, streamsPerKeyMax: 2 })
  replicas.push(replica)
  const id = await newTask()
  await replica.tell(stepsOf(id).reserved)
  const [one] = [await follow(replica.port, id), await follow(replica.port, id)]
  const third = await follow(replica.port, id)
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '10'])
  await ends(third)
  expect(JSON.parse(third.text).error).toMatchObject({ code: 'rate_limited', details: { limit: 'event_streams' } })
  expect((await follow(replica.port, id, { key: 'sk_second' })).status).toBe(200)
  const full = await follow(replica.port, id, { key: 'sk_third' })
  expect([full.status, full.headers.get('retry-after')]).toEqual([503, '10'])
  one.leave()
  await until('its place to be free', async () => (await follow(replica.port, id, { key: 'sk_third' })).status === 200)
})

test('a stream ends within 5 s of its key', async () => {
  const id = await newTask()
  await replicas[0]?.tell(stepsOf(id).reserved)
  const stream = await follow(replicas[0]?.port ?? 0, id, { key: 'sk_revoked' })
  await until('the first event', () => stream.events.length === 1)
  const startedAt = performance.now()
  revoked.add('sk_revoked')
  await ends(stream)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

test('a replica that drains ends its streams whole, with their connections, and is then closed at once', async () => {
  const replica = await startReplica()
  const id = await newTask()
  await replica.tell(stepsOf(id).reserved)
  const streams = await Promise.all(Array.from({ length: 20 }, () => follow(replica.port, id)))
  await until('the first events', () => streams.every(({ events }) => events.length === 1))
  const startedAt = performance.now()
  await replica.stop()
  expect(performance.now() - startedAt).toBeLessThan(3_000)
  await Promise.all(streams.map(ends))
  const { tell, port } = replicas[0] as (typeof replicas)[0]
  const resumed = await follow(port, id, { after: '1' })
  await tell(stepsOf(id).accepted)
  await until('the next event', () => resumed.events.length === 1)
  expect(resumed.events).toMatchObject([{ id: '2', type: 'accepted' }])
  resumed.leave()
})

test('clients that read nothing keep nobody from their events', async () => {
  const { tell, port } = replicas[0] as (typeof replicas)[0]
  const id = await newTask()
  const steps = stepsOf(id)
  await tell(steps.reserved)
  const sockets = Array.from({ length: 50 }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.pause()
    socket.write(`GET /tasks/${id}/events HTTP/1.1\r\nHost: a.b.c.d\r\nAuthorization: Bearer sk_mute\r\nAccept: text/event-stream\r\n\r\n`)
    return socket
  })
  const stream = await follow(port, id)
  for (let percent = 1; percent <= 99; percent++) await tell(steps.running(percent))
  // Queued, accepted by the first progress, and 99 steps.
  await until('all events', () => stream.events.length === 101, 20_000)
  for (const socket of sockets) socket.destroy()
  stream.leave()
}, 30_000)
