import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { renderError } from '@filmgate/kit/http/render-error'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import { servers, type TestDatabase, testDatabase, testLog, testTopics, until } from '@filmgate/kit/testing'
import { message, testBus } from '@filmgate/kit/testing/test-bus'
import { testOperators } from '@filmgate/kit/testing/test-operators'
import { topicPlan } from '@filmgate/proto/topics'
import { Elysia } from 'elysia'
import { reasons } from '../errors'
import { createDeadLetters, type DeadLetters } from './dead-letters'
import { deadLetterRoutes } from './operator-routes'

const under = testBus()
const prefix = `test-${randomUUID()}`
const operators = testOperators({
  reader: { name: 'rita', role: 'read' },
  supporter: { name: 'sam', role: 'support', actsForOthers: false },
})
const logged: unknown[] = []
const log = { ...testLog, warn: (fields: unknown) => void logged.push(fields) } as unknown as typeof testLog
const appOf = (deadLetters: DeadLetters) =>
  new Elysia({ prefix: '/operator', normalize: false })
    .use(renderError({ ...testLog, error: () => {} } as unknown as typeof testLog, reasons))
    .use(operatorAuth(operators))
    .use(deadLetterRoutes({ deadLetters, log }))

let database: TestDatabase
let topics: { drop(): Promise<void> }
let deadLetters: DeadLetters
let app: ReturnType<typeof appOf>
beforeAll(async () => {
  topics = await testTopics(topicPlan(prefix, 1))
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  deadLetters = createDeadLetters(database.sql, { brokers: servers.kafkaBrokers }, prefix)
  app = appOf(deadLetters)
})
afterAll(async () => {
  await topics?.drop()
  await database?.drop()
})

async function call(method: string, path: string, { body, bearer = 'supporter' }: { body?: object; bearer?: string } = {}) {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  const answer = await app.handle(
    new Request(`http://gateway/operator/dead-letters${path}`, { method, headers, body: body && JSON.stringify(body) }),
  )
  // biome-ignore lint/suspicious/noExplicitAny: what is compared names its shape.
  return { status: answer.status, body: (await answer.json()) as any }
}

test('letters are counted, listed with their cause, and sent back singly or all, by whom and why', async () => {
  const [topic, ...others] = deadLetters.topics
  if (!topic || others.length === 0) throw new Error('there are topics')
  const source = topic.replace(/\.dlq$/, '')
  const came: string[] = []
  await under.consume(source, async messages => void came.push(...messages.map(({ event }) => event)), { group: 'ledger' })
  const counts = async () => (await call('GET', '/counts')).body.data
  expect(await counts()).toEqual(deadLetters.topics.map(topic => ({ topic, waiting: 0 })))

  const headers = { 'dlq-group': 'ledger', 'dlq-cause': 'Error: no such order' }
  await under.publish(['a', 'b', 'c', 'd'].map(text => message(topic, 'acc_1', text, { eventId: `event-${text}`, headers })))
  expect((await counts())[0]).toEqual({ topic, waiting: 4 })
  const listed = await call('GET', `?topic=${topic}&limit=2`, { bearer: 'reader' })
  expect(listed.body.data).toMatchObject([
    { topic, offset: '0', key: 'acc_1', eventId: 'event-a', group: 'ledger', cause: 'Error: no such order', bytes: 1 },
    { eventId: 'event-b' },
  ])
  expect((await call('GET', `?topic=${topic}&event=event-c`)).body.data).toMatchObject([{ eventId: 'event-c' }])

  const replay = (more: object = {}) => call('POST', '/replay', { body: { topic, limit: 500, reason: 'the order is known', ...more } })
  expect(await replay({ event: 'event-c' })).toEqual({ status: 200, body: { replayed: 1, copies: 0, refused: [] } })
  expect((await counts())[0]).toEqual({ topic, waiting: 3 })
  expect(logged).toEqual([
    { topic, eventId: 'event-c', limit: 500, by: 'sam', reason: 'the order is known', replayed: 1, copies: 0, refused: 0 },
  ])
  expect(await replay({ limit: 1 })).toMatchObject({ body: { replayed: 1 } })
  expect(await replay()).toMatchObject({ body: { replayed: 2 } })
  expect((await counts())[0]).toEqual({ topic, waiting: 0 })
  expect(came).toEqual(['c', 'a', 'b', 'd'])
})

test('letters of one event and group are discarded: the list says by whom and why, and they are not replayed', async () => {
  const topic = deadLetters.topics[1] ?? ''
  const group = `${prefix}.ledger`
  const came: string[] = []
  await under.consume(topic.replace(/\.dlq$/, ''), async messages => void came.push(...messages.map(({ event }) => event)), { group })
  const letter = (text: string, of: string, more: object = {}) =>
    message(topic, 'acc\0', text, { headers: { 'dlq-group': of, 'dlq-cause': 'Error: \0 is no text' }, ...more })
  await under.publish([letter('a', group), letter('a', 'another'), letter('b', group)])

  const body = { topic, event: 'event-a', group, limit: 500, reason: 'a test order' }
  expect((await call('POST', '/discard', { body, bearer: 'reader' })).body.error.code).toBe('operator_role_insufficient')
  const { event: _, group: __, ...whole } = body
  expect((await call('POST', '/discard', { body: whole })).body.error).toMatchObject({ code: 'invalid_request' })
  expect(await call('POST', '/discard', { body })).toEqual({ status: 200, body: { discarded: 1 } })
  expect(await call('POST', '/discard', { body })).toEqual({ status: 200, body: { discarded: 0 } })
  const { at, ...discarded } = (await call('GET', '/discarded', { bearer: 'reader' })).body.data[0]
  expect(discarded).toEqual({
    ...{ topic, offset: '0', key: 'acc\ufffd', eventId: 'event-a', group, cause: 'Error: \ufffd is no text' },
    ...{ by: 'sam', reason: 'a test order' },
  })
  expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000)
  expect((await call('POST', '/replay', { body: { topic, group, limit: 500, reason: 'mended' } })).body.replayed).toBe(1)
  await until('the other', () => came.length === 1)
  expect(came).toEqual(['b'])
  const { event, ...all } = body
  expect((await call('POST', '/discard', { body: { ...all, group: 'another' } })).body).toEqual({ discarded: 1 })
})

test('a topic that is none of letters, or no topic, is refused; a role that may only read sends nothing back', async () => {
  for (const topic of ['', `${prefix}.requests.v1`, 'other.dlq'])
    expect((await call('GET', `?topic=${topic}`)).body.error).toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path: 'topic' }] },
    })
  const body = { topic: 'other.dlq', limit: 1, reason: 'r' }
  expect((await call('POST', '/replay', { body })).status).toBe(400)
  expect((await call('POST', '/replay', { body, bearer: 'reader' })).body.error.code).toBe('operator_role_insufficient')
})

test('a broker that gives no answer is told as such', async () => {
  const broken = { ...deadLetters, count: async () => Promise.reject(new Error('no broker')) }
  const answer = await appOf(broken).handle(
    new Request('http://gateway/operator/dead-letters/counts', { headers: { authorization: 'Bearer reader' } }),
  )
  expect(answer.status).toBe(503)
})
