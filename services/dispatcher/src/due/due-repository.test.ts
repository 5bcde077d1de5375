import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { type TestDatabase, testDatabase } from '@filmgate/kit/testing'
import { insertAttempts } from '../attempt/attempt-repository'
import { newAttemptId } from '../testing/attempt-id'
import { newTaskId } from '../testing/test-system'
import { type ProviderPace, takeDueAttempts } from './due-repository'
import { opensAfter, probeFirstMs } from './pace'
import { findPaces, insertPaces, recordCalls } from './pace-repository'

setDefaultTimeout(10_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database.drop())
beforeEach(async () => void (await database.sql`delete from job`))

const minute = 60_000
const lookUp = { firstMs: 500, growth: 2, maxMs: 15_000 }
const poll = { firstMs: 3_000, ofAge: 0.1, maxMs: 30_000 }

/** A provider of the test's own with attempts that are due, accepted so long ago each; null: their sender ended. */
async function providerWith(accepted: (number | null)[], own: Partial<ProviderPace> = {}): Promise<ProviderPace> {
  const provider = crypto.randomUUID()
  const rows = accepted.map(() => {
    const names = { provider, providerModel: 'm', model: 'm', traceparent: null, code: null, cause: null }
    const source = { topic: 'credits' as const, bytes: new Uint8Array() }
    const fixed = { number: 1, state: 'sending' as const, uploads: false, absenceAfterMs: minute }
    return { id: newAttemptId(), taskId: newTaskId(), accountId: provider, ...fixed, source, ...names }
  })
  await insertAttempts(database.sql, rows, { owner: 'test', leaseMs: minute })
  for (const [index, agoMs] of accepted.entries()) {
    const id = rows[index]?.id ?? ''
    if (agoMs !== null)
      await database.sql`
        update attempt set state = 'accepted', provider_task_id = id, accepted_at = now() - ${agoMs}::float8 * interval '1 millisecond' where id = ${id}`
    await database.sql`
      update job set run_at = now() - interval '1 minute', lease_until = case when ${agoMs === null} then now() end where id = ${id}`
  }
  await insertPaces(database.sql, [provider])
  return { provider, poll, lookUp, budget: { perSecond: 1_000, atOnce: 1_000 }, asking: 0, placesLeft: 1_000, ...own }
}

const take = (pace: ProviderPace, owner = 'one', limit = 1_000) =>
  takeDueAttempts(database.sql, [pace], { owner, limit, overdueMs: minute, unknownProviderMs: minute, generationTimeoutMs: 60 * minute })

/** As if so much time had passed for this provider. */
async function pass({ provider }: ProviderPace, ms: number): Promise<void> {
  const by = database.sql`${ms}::float8 * interval '1 millisecond'`
  await database.sql`update job set run_at = run_at - ${by} where fairness_key = ${provider}`
  await database.sql`
    update provider_pace set turn_at = turn_at - ${by}, held_until = held_until - ${by}, probe_at = probe_at - ${by} where provider = ${provider}`
  await database.sql`update provider_asker set seen_at = seen_at - ${by} where provider = ${provider}`
}

const counted = async (taking: ReturnType<typeof take>) => {
  const { taken, postponed } = await taking
  return [taken.length, postponed]
}
const many = (count: number, agoMs: number | null = 0) => Array.from({ length: count }, () => agoMs)

/** How long until each of its attempts is due, shortest first. */
const waitsOf = async ({ provider }: ProviderPace): Promise<number[]> =>
  (
    await database.sql<{ ms: number }[]>`
      select (extract(epoch from run_at - now()) * 1000)::float8 as ms from job where fairness_key = ${provider} order by run_at`
  ).map(({ ms }) => ms)

test('an attempt is asked about the less often the older it is, within the bounds of its provider', async () => {
  for (const [agoMs, plannedMs] of [
    [0, 3_000],
    [100_000, 10_000],
    [30 * minute, 30_000],
  ] as const) {
    await database.sql`delete from job`
    const pace = await providerWith([agoMs])
    expect(await counted(take(pace))).toEqual([1, 0])
    const [waitMs = 0] = await waitsOf(pace)
    expect(waitMs / plannedMs).toBeGreaterThan(0.85)
    expect(waitMs / plannedMs).toBeLessThan(1.15)
  }
})

test('more than a provider may be asked about in a second wait for their turns, in line and written once', async () => {
  const pace = await providerWith(many(30), { budget: { perSecond: 10, atOnce: 1_000 } })
  expect(await counted(take(pace))).toEqual([10, 20])
  expect(await counted(take(pace))).toEqual([0, 0])
  await pass(pace, 1_000)
  expect(await counted(take(pace))).toEqual([10, 0])
  await pass(pace, 1_000)
  const { taken } = await take(pace)
  expect(taken.length).toBe(10)
  // Due a minute before the first: its wait is part of how late it is.
  for (const { lateMs } of taken) expect(lateMs).toBeGreaterThan(minute)
  expect([...(await database.sql`select distinct payload from job where fairness_key = ${pace.provider}`)]).toEqual([{ payload: {} }])
})

test('dispatchers that take at the same time share a provider’s second', async () => {
  const pace = await providerWith(many(40), { budget: { perSecond: 10, atOnce: 1_000 } })
  const takes = await Promise.all(['one', 'two', 'three', 'four'].map(owner => take(pace, owner, 10)))
  expect(takes.reduce((sum, { taken }) => sum + taken.length, 0)).toBe(10)
})

test('a provider is asked about no more at once than it has places, whoever asks', async () => {
  const pace = await providerWith(many(20), { budget: { perSecond: 1_000, atOnce: 8 }, asking: 2 })
  expect(await counted(take(pace, 'one', 10))).toEqual([6, 4])
  // Those that the first one asks about are told of: six and two.
  expect(await counted(take({ ...pace, asking: 0 }, 'two', 10))).toEqual([0, 10])
  await pass(pace, minute)
  expect((await counted(take({ ...pace, asking: 0 }, 'two', 20)))[0]).toBe(8)
})

test('a provider that says when to come again is left alone until then, and asked at its rate from then on', async () => {
  const pace = await providerWith(many(20), { budget: { perSecond: 10, atOnce: 1_000 } })
  await recordCalls(database.sql, [{ provider: pace.provider, answered: true, silent: 1, waitMs: 10_000 }])
  expect(await counted(take(pace))).toEqual([0, 20])
  const waits = await waitsOf(pace)
  expect(waits[0]).toBeGreaterThan(9_000)
  expect((waits.at(-1) ?? 0) - (waits[0] ?? 0)).toBeCloseTo(1_900, -1)
  await pass(pace, 10_500)
  expect((await take(pace)).taken.length).toBeGreaterThan(3)
})

test('what is held keeps no attempt from its review, and no lost answer from being told', async () => {
  const pace = await providerWith([null, 0, 61 * minute])
  await recordCalls(database.sql, [{ provider: pace.provider, answered: false, silent: opensAfter, waitMs: undefined }])
  const { taken, postponed } = await take(pace)
  expect([taken.map(({ attempt }) => attempt.state).toSorted(), postponed]).toEqual([['accepted', 'sending'], 1])
  expect(taken.find(({ attempt }) => attempt.state === 'accepted')?.attempt.acceptedMsAgo).toBeGreaterThan(60 * minute)
})

test('a provider that answers nothing is asked about one attempt at a time, until it answers', async () => {
  const pace = await providerWith(many(10))
  const { provider } = pace
  const report = (answered: boolean, silent: number) => recordCalls(database.sql, [{ provider, answered, silent, waitMs: undefined }])
  expect(await report(false, opensAfter - 1)).toEqual({ opened: [], closed: [] })
  expect(await report(false, 1)).toEqual({ opened: [provider], closed: [] })
  expect(await findPaces(database.sql, [provider])).toMatchObject([{ silent: opensAfter, isOpen: true, heldUntil: expect.any(Date) }])
  expect(await counted(take(pace))).toEqual([0, 10])
  await pass(pace, probeFirstMs + 100)
  expect(await counted(take(pace))).toEqual([1, 9])
  await report(false, 1)
  await pass(pace, probeFirstMs - 500)
  expect(await counted(take(pace))).toEqual([0, 1])
  await pass(pace, 700)
  const probed = await take(pace)
  expect(probed.taken.length).toBe(1)
  expect(probed.taken[0]?.troubled).toBe(true)
  expect(await report(true, 3)).toEqual({ opened: [], closed: [provider] })
  await pass(pace, minute)
  expect(await counted(take(pace))).toEqual([10, 0])
})

test('one answer among many that are none keeps the breaker closed', async () => {
  const pace = await providerWith(many(3))
  const silent = { provider: pace.provider, answered: false, silent: opensAfter - 1, waitMs: undefined }
  await recordCalls(database.sql, [silent])
  await recordCalls(database.sql, [{ ...silent, answered: true }])
  await recordCalls(database.sql, [silent])
  expect((await take(pace)).taken.length).toBe(3)
})
