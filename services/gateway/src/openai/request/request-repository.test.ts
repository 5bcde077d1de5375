import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { connectPostgres } from '@filmgate/kit/database/postgres'
import { testDatabase } from '@filmgate/kit/testing'
import { uuidv7 } from 'uuidv7'
import { deleteOldRequests, joinRequest } from './request-repository'

const database = await testDatabase(join(import.meta.dir, '../../../migrations'))
const { sql } = database
/** Of another replica. */
const there = connectPostgres({ url: database.url, poolMax: 8, applicationName: 'there' })
afterAll(async () => {
  await there.end()
  await database.drop()
})

/** A client's logical request: what its tries get, by their count. */
function body(keyId: string = crypto.randomUUID()) {
  const fingerprint = Buffer.from(crypto.getRandomValues(new Uint8Array(32)))
  return {
    send: (count: number, { at = sql, arrivedMsAgo = 0 } = {}) => {
      const id = uuidv7()
      return joinRequest(at, { id, keyId, fingerprint, idempotencyKey: `openai:${id}`, count, arrivedMsAgo })
    },
    age: (ms: number) =>
      sql`update openai_request set last_at = last_at - ${ms} * interval '1 millisecond' where fingerprint = ${fingerprint}`,
  }
}

test('every retry of one request gets its key, at another replica too', async () => {
  const { send } = body()
  const key = await send(0)
  expect([await send(1, { at: there }), await send(2), await send(3)]).toEqual([key, key, key])
})

test('requests that are alike are each their own, and each retry joins one of its own', async () => {
  const { send } = body()
  const keys = [await send(0), await send(0), await send(0)]
  expect(new Set(keys).size).toBe(3)
  expect(await send(1)).toBe(keys[2] ?? '')
  expect([await send(1), await send(1)].toSorted()).toEqual([keys[0] ?? '', keys[1] ?? ''].toSorted())
})

test('a second retry joins what a first retry has joined, not a newer request', async () => {
  const { send } = body()
  const first = await send(0)
  expect(await send(1)).toBe(first)
  const second = await send(0)
  expect([await send(2), await send(1)]).toEqual([first, second])
})

test('a first request that never arrived is opened by its retry, and joined by the next', async () => {
  const { send } = body()
  const key = await send(1)
  expect(await send(2)).toBe(key)
  const later = await send(0)
  expect(later).not.toBe(key)
})

test('a first request whose head came before the retry that overtook it joins what that has opened', async () => {
  const { send } = body()
  const key = await send(1)
  expect(await send(0, { arrivedMsAgo: 60_000 })).toBe(key)
  expect(await send(0, { arrivedMsAgo: 60_000 })).not.toBe(key)
})

test('a retry that was overtaken by the next joins the same', async () => {
  const { send } = body()
  const key = await send(0)
  expect([await send(2), await send(1)]).toEqual([key, key])
})

test('twenty requests and their retries, at one moment over two replicas, have twenty keys, each for one retry', async () => {
  const { send } = body()
  const many = (count: number) => Promise.all(Array.from({ length: 20 }, (_, index) => send(count, { at: index % 2 ? sql : there })))
  const keys = await many(0)
  expect(new Set(keys).size).toBe(20)
  expect((await many(1)).toSorted()).toEqual(keys.toSorted())
  expect((await many(2)).toSorted()).toEqual(keys.toSorted())
}, 30_000)

test('a request and its retry at one moment have one key', async () => {
  for (let round = 0; round < 20; round++) {
    const { send } = body()
    const keys = await Promise.all([send(0, { arrivedMsAgo: 1_000 }), send(1, { at: there })])
    expect(new Set(keys).size).toBe(1)
  }
}, 30_000)

test('another key or another body is another request, and so is a retry after 15 minutes', async () => {
  const { send, age } = body('k1')
  const key = await send(0)
  expect(await body('k1').send(1)).not.toBe(key)
  await age(899_000)
  expect(await send(1)).toBe(key)
  await age(900_001)
  expect(await send(2)).not.toBe(key)
})

test('what no retry can join any more is deleted', async () => {
  const { send, age } = body()
  const key = await send(0)
  await deleteOldRequests(sql)
  expect(await send(1)).toBe(key)
  await age(900_001)
  expect((await deleteOldRequests(sql)).count).toBeGreaterThan(0)
})
