import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { callbackToken } from '@filmgate/kit/callback-token'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { type TestDatabase, testDatabase } from '@filmgate/kit/testing'
import { createReadToken } from './read-token'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database.drop())

const secret = 's'.repeat(32)
const attemptId = `at_${'0123456789abcdef'.repeat(2)}`
const token = callbackToken(secret, { provider: 'fal', attemptId })

const readToken = (of: { secrets?: Secrets | undefined; now?: () => Date } = {}) =>
  createReadToken({ secrets: [secret], sql: database.sql, now: () => new Date(), ...of })

test('the address of an attempt is ours at its own provider alone, as it was made', async () => {
  const read = readToken()
  expect(token).toMatch(/^at_[0-9a-f]{32}-[A-Za-z0-9_-]{22}$/)
  expect(await read('fal', token)).toBe(attemptId)
  const otherId = token.replace('at_0', 'at_1')
  const otherCode = `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`
  const othersSecret = callbackToken('t'.repeat(32), { provider: 'fal', attemptId })
  for (const made of [otherId, otherCode, othersSecret, token.slice(0, -1), attemptId])
    expect([made, await read('fal', made)]).toEqual([made, undefined])
  expect(await read('kling', token)).toBeUndefined()
})

test('while the secret is rotated, the address that each of both has made is ours', async () => {
  const other = 't'.repeat(32)
  const both = readToken({ secrets: [other, secret] })
  for (const made of [token, callbackToken(other, { provider: 'fal', attemptId })]) expect(await both('fal', made)).toBe(attemptId)
  expect(await both('fal', callbackToken('u'.repeat(32), { provider: 'fal', attemptId }))).toBeUndefined()
  expect(await readToken({ secrets: [other] })('fal', token)).toBeUndefined()
})

test('addresses without a code, of the version before, count for three days after an upgrade', async () => {
  const { sql } = database
  await sql`insert into account (id, name) values ('a', 'test')`
  await sql`
    insert into task (id, account_id, key_id, surface, idempotency_key, fingerprint, model, mode, resolution, billed_seconds, price_version, phase,
                      phase_rank, created_at, updated_at, admit_by)
    values ('vt_before', 'a', 'k', 'api', 'i', '', 'm', 't', '768p', 5, 'p', 'accepted', 2, now(), now(), now())`
  await sql`drop table callback_code`
  await sql.file(join(import.meta.dir, '../../migrations/0150_callback_code.sql'))
  const inDays = (days: number) => readToken({ now: () => new Date(Date.now() + days * 86_400_000) })
  expect(await inDays(2.9)('fal', attemptId)).toBe(attemptId)
  expect(await inDays(3.1)('fal', attemptId)).toBeUndefined()
  expect(await inDays(2.9)('fal', callbackToken('t'.repeat(32), { provider: 'fal', attemptId }))).toBeUndefined()
})

test('a gateway without the secret takes each for ours, and hands on the id alone', async () => {
  const read = readToken({ secrets: undefined })
  expect([await read('fal', token), await read('fal', attemptId)]).toEqual([attemptId, attemptId])
})
