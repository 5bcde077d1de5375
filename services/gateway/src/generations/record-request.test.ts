import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createOutbox } from '@filmgate/kit/outbox/outbox'
import { type TestDatabase, testDatabase, testLog } from '@filmgate/kit/testing'
import { uuidv7 } from 'uuidv7'
import { findRequestFields } from '../console/task-repository'
import { newTaskId } from '../tasks/task-id'
import { forgetPrompts } from '../tasks/task-repository'
import { createRecordRequest, type NewRequest } from './record-request'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database.drop())

/** One gateway's; nothing is published. */
function replica() {
  const { sql } = database
  const outbox = createOutbox({ sql, bus: { publish: async () => {} }, log: testLog })
  return { recordRequest: createRecordRequest({ sql, outbox, topicPrefix: 'test', replayAfterMs: 600_000 }), stop: outbox.stop }
}

function requestOf(accountId: string, idempotencyKey: string): NewRequest {
  const [createdAt, admitBy] = [new Date(), new Date()]
  const task = {
    id: newTaskId(),
    accountId,
    keyId: 'k',
    surface: 'api' as const,
    prompt: 'a cat',
    idempotencyKey,
    fingerprint: Buffer.alloc(32, 7),
    createdAt,
    admitBy,
    eventId: uuidv7(),
  }
  return {
    task: {
      ...task,
      model: 'alpha-h3',
      mode: 'text-to-video',
      resolution: '768p',
      billedSeconds: 5,
      request: null,
      breakdown: [],
      priceVersion: 'p1',
      tags: null,
    },
    order: {},
  }
}

test('two replicas that get the same keys at once, in opposite order, make one task a key and answer both', async () => {
  const [here, there] = [replica(), replica()]
  const accountId = `acct_${crypto.randomUUID()}`
  await database.sql`insert into account (id, name) values (${accountId}, 'test')`
  for (let round = 0; round < 8; round++) {
    const keys = Array.from({ length: 100 }, () => crypto.randomUUID())
    const [first, second] = await Promise.all([
      Promise.all(keys.map(key => here.recordRequest(requestOf(accountId, key)))),
      Promise.all(keys.toReversed().map(key => there.recordRequest(requestOf(accountId, key)))),
    ])
    const fresh = keys.map((_, n) => [first[n], second.at(-1 - n)].filter(one => one?.fresh).length)
    expect(fresh).toEqual(keys.map(() => 1))
  }
  await Promise.all([here.stop(), there.stop()])
}, 60_000)

test('tags are those of the first request under its key', async () => {
  const here = replica()
  const accountId = `acct_${crypto.randomUUID()}`
  await database.sql`insert into account (id, name) values (${accountId}, 'test')`
  const [first, again] = [requestOf(accountId, 'same'), requestOf(accountId, 'same')]
  const tags = { project: 'spring', shot: '12, "b"' }
  await here.recordRequest({ ...first, task: { ...first.task, tags } })
  expect(await here.recordRequest({ ...again, task: { ...again.task, tags: { other: 'x' } } })).toMatchObject({
    fresh: false,
    bound: { id: first.task.id, tags },
  })
  await here.stop()
})

test('what a task of the console was asked with is kept for its account alone, and forgotten with the prompt', async () => {
  const here = replica()
  const accountId = `acct_${crypto.randomUUID()}`
  await database.sql`insert into account (id, name) values (${accountId}, 'test')`
  const request = { image_url: 'https://cdn.example.com/a.png', seed: 7 }
  const [kept, none] = [requestOf(accountId, 'web'), requestOf(accountId, 'api')]
  await Promise.all([{ ...kept, task: { ...kept.task, request } }, none].map(one => here.recordRequest(one)))
  const fieldsOf = (taskId: string, of = accountId) => findRequestFields(database.sql, { accountId: of, taskId })
  expect([await fieldsOf(kept.task.id), await fieldsOf(none.task.id), await fieldsOf(kept.task.id, 'other')]).toEqual([request, null, null])
  await forgetPrompts(database.sql, { accountId, after: '', rowsMax: 10 })
  expect(await fieldsOf(kept.task.id)).toBeNull()
  await here.stop()
})
