import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { renderError } from '@filmgate/kit/http/render-error'
import { createLocalBucket } from '@filmgate/kit/request/local-bucket'
import { type TestDatabase, testDatabase, testLog, until } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { reasons } from '../errors'
import { hashKey, newKey, newKeyId, pepperMark } from './api-key'
import { authenticate } from './authenticate'
import { createFindCaller } from './find-caller'
import { countOtherPeppers } from './key-repository'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database.drop())

const pepper = 'p'.repeat(32)
const addressRateLimit = 10

/** A key of a new account, valid until it is revoked. */
async function storedKey(): Promise<{ keyId: string; key: string }> {
  const [accountId, keyId] = [`acct_${crypto.randomUUID()}`, newKeyId()]
  const key = newKey(keyId)
  await database.sql`insert into account (id, name) values (${accountId}, 'test')`
  await database.sql`insert into api_key (id, account_id, name, secret_hash) values (${keyId}, ${accountId}, 'test', ${hashKey(key, pepper)})`
  return { keyId, key }
}

/** A gateway that only authenticates, on the real database; `lookedUp` has the ids that reached it. */
function gateway(peppers: Secrets = [pepper]) {
  const lookedUp: string[] = []
  let nowMs = Date.now()
  const sql = new Proxy(database.sql, {
    apply(target, self, given: [TemplateStringsArray, ...unknown[]]) {
      if (Array.isArray(given[0]) && given[0].join('').includes('from api_key where id = any('))
        lookedUp.push(...given.slice(1).flat().map(String))
      return Reflect.apply(target as never, self, given)
    },
  }) as Sql
  const { take, giveBack } = createLocalBucket(addressRateLimit)
  const deps = {
    findCaller: createFindCaller({ sql, peppers, log: testLog, now: () => nowMs }),
    takeToken: async () => ({ taken: true, left: 1, waitMs: 0 }),
    ...{ takeAddressToken: take, giveAddressTokenBack: giveBack, rateLimit: 30, addressRateLimit },
    clientAddress: (request: Request) => request.headers.get('x-from') ?? '',
  }
  const app = new Elysia()
    .use(renderError(testLog, reasons))
    .use(authenticate(deps))
    .get('/', ({ caller }) => caller.keyId)
  return {
    lookedUp: (keyIds: string[]) => lookedUp.filter(id => keyIds.includes(id)).length,
    passMs(ms: number) {
      nowMs += ms
    },
    ask: async (key: string, from = '192.0.2.1') =>
      (await app.handle(new Request('http://gateway/', { headers: { authorization: `Bearer ${key}`, 'x-from': from } }))).status,
  }
}

const bogusIds = (count: number) => Array.from({ length: count }, newKeyId)

test('a key that is bound to addresses works from these alone, and a change of them within the time a key is remembered', async () => {
  const { ask, passMs } = gateway()
  const { key, keyId } = await storedKey()
  const bind = (addresses: string[] | null) => database.sql`update api_key set addresses = ${addresses} where id = ${keyId}`
  const statuses = (...from: string[]) => Promise.all(from.map(address => ask(key, address)))
  const [v4, mapped, port, v6, zone, elsewhere] = [
    '192.0.2.9',
    '::ffff:192.0.2.9',
    '192.0.2.9:5000',
    '2001:db8::1',
    '2001:db8::1%e',
    '198.51.100.1',
  ]
  expect(await statuses(v4, elsewhere)).toEqual([200, 200])
  await bind(['192.0.2.0/24', '2001:db8::/32'])
  passMs(3_001)
  expect(await statuses(v4, mapped, port, v6, zone)).toEqual([200, 200, 200, 200, 200])
  expect(await statuses(elsewhere, '2001:db9::1', 'unknown', '')).toEqual([401, 401, 401, 401])
  await bind(['198.51.100.1'])
  passMs(3_001)
  expect(await statuses(v4, elsewhere)).toEqual([401, 200])
  await bind(null)
  passMs(3_001)
  expect(await statuses(v4, elsewhere, '')).toEqual([200, 200, 200])
})

test('of 1,000 bogus keys with a right checksum no more reach the database than their address has tokens', async () => {
  const { ask, lookedUp } = gateway()
  const ids = bogusIds(1_000)
  const statuses = await Promise.all(ids.map(id => ask(newKey(id))))
  expect(lookedUp(ids)).toBe(addressRateLimit)
  expect(Map.groupBy(statuses, status => status).get(401)).toHaveLength(addressRateLimit)
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
})

test('valid keys cost their address nothing, however many there are and however often they are read again', async () => {
  const { ask, passMs } = gateway()
  const keys = await Promise.all(Array.from({ length: 3 * addressRateLimit }, storedKey))
  for (const { key } of keys) expect(await ask(key)).toBe(200)
  passMs(3_001)
  expect(await Promise.all(keys.flatMap(({ key }) => [ask(key), ask(key)]))).toEqual(keys.flatMap(() => [200, 200]))
})

test('as many valid keys as two buckets hold, all new at one moment, are all let in', async () => {
  const { ask } = gateway()
  const keys = await Promise.all(Array.from({ length: 2 * addressRateLimit }, storedKey))
  expect(await Promise.all(keys.map(({ key }) => ask(key)))).toEqual(keys.map(() => 200))
})

test('a flood without a key of the right form keeps no valid key out, not even one that is new', async () => {
  const { ask } = gateway()
  const statuses = await Promise.all(Array.from({ length: 2 * addressRateLimit }, () => ask('sk_live_wrong')))
  expect(statuses.filter(status => status === 429)).toHaveLength(addressRateLimit)
  expect(await ask((await storedKey()).key)).toBe(200)
})

test('a key that has worked is read again during a flood from its address; once it is revoked it is as any other', async () => {
  const { ask, passMs } = gateway()
  const { key, keyId } = await storedKey()
  expect(await ask(key)).toBe(200)
  await Promise.all(bogusIds(2 * addressRateLimit).map(id => ask(newKey(id))))
  passMs(3_001)
  expect(await ask(key)).toBe(200)
  await database.sql`update api_key set revoked_at = now() where id = ${keyId}`
  passMs(3_001)
  expect(await ask(key, '198.51.100.1')).toBe(401)
  passMs(3_001)
  expect(await ask(key)).toBe(429)
})

test('a key that many requests of one moment have is looked up once', async () => {
  const { ask, lookedUp } = gateway()
  const { key, keyId } = await storedKey()
  expect(await Promise.all(Array.from({ length: 3 * addressRateLimit }, () => ask(key)))).toEqual(Array(3 * addressRateLimit).fill(200))
  expect(lookedUp([keyId])).toBe(1)
})

test('a key works under each accepted pepper, stands under the first one after its next use, and outlives the other', async () => {
  const [other, count] = ['q'.repeat(32), async () => countOtherPeppers(database.sql, pepperMark(other))]
  const { key, keyId } = await storedKey()
  const unused = await storedKey()
  const stored = async () => {
    const [row] = await database.sql<{ hash: Buffer; mark: string | null }[]>`
      select secret_hash as hash, pepper_mark as mark from api_key where id = ${keyId}`
    return row
  }
  expect(await gateway([other]).ask(key)).toBe(401)
  // Those of the first step use the former pepper still, beside those of the second.
  expect(await gateway([pepper, other]).ask(key)).toBe(200)
  await until('its mark', async () => (await stored())?.mark === pepperMark(pepper))
  const before = await count()
  const { ask, lookedUp } = gateway([other, pepper])
  expect(await ask(key)).toBe(200)
  expect(lookedUp([keyId])).toBe(1)
  await until('the other pepper', async () => (await stored())?.mark === pepperMark(other))
  expect(await stored()).toEqual({ hash: hashKey(key, other), mark: pepperMark(other) })
  expect(await count()).toBe(before - 1)
  // In this order: a gateway of the first step puts the key back under its first pepper.
  expect([await gateway([other]).ask(key), await gateway([pepper, other]).ask(key)]).toEqual([200, 200])
  expect([await gateway([other]).ask(unused.key), await gateway([other, pepper]).ask(unused.key)]).toEqual([401, 200])
})

test('a former secret under the former pepper works on beside the new one', async () => {
  const other = 'q'.repeat(32)
  const { key, keyId } = await storedKey()
  const { sql } = database
  const next = newKey(keyId)
  await sql`
    update api_key set previous_hash = secret_hash, previous_until = now() + interval '1 hour', secret_hash = ${hashKey(next, other)}
    where id = ${keyId}`
  const { ask } = gateway([other, pepper])
  expect([await ask(next), await ask(key)]).toEqual([200, 200])
  await until(
    'the mark',
    async () => (await sql`select from api_key where id = ${keyId} and pepper_mark = ${pepperMark(other)}`).count === 1,
  )
  expect(await sql`select secret_hash as hash from api_key where id = ${keyId}`).toMatchObject([{ hash: hashKey(next, other) }])
})
