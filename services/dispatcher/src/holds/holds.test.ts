import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { pause } from '@filmgate/kit/deadline'
import { type TestDatabase, testDatabase, testLog } from '@filmgate/kit/testing'
import type { PlannedAttempt } from '../attempt/plan-attempts'
import type { Connector, SubmitOutcome } from '../providers/connector'
import { newAttemptId } from '../testing/attempt-id'
import { fillAccepted } from '../testing/fill-accepted'
import { findHolds, insertHold } from './hold-repository'
import { createHolds, type HoldsDeps } from './holds'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database?.drop())
beforeEach(async () => {
  await database.sql`truncate route_hold, attempt, job`
})

const connector = (provider: string, keyDigest = 'k1') => ({ provider, keyDigest }) as Connector
const planned = (provider: string, given: Partial<PlannedAttempt> = {}, own = connector(provider)): PlannedAttempt =>
  ({
    attempt: { id: newAttemptId(), provider, model: 'm' },
    ready: {},
    routes: [{ connector: own }],
    ...given,
  }) as unknown as PlannedAttempt

const holdsWith = (given: Partial<HoldsDeps> = {}) =>
  createHolds({
    ...{ sql: database.sql, log: testLog, submitHolds: true, unknownMax: 3, windowMs: 60_000, undecidedMax: 4, slowMs: 3_000 },
    ...{ unansweredProbes: { firstMs: 60_000, maxMs: 60_000 }, accountProbes: { firstMs: 60_000, maxMs: 60_000 }, ...given },
  })

/** Attempts that were sent so long ago and are in that state. */
async function fill(provider: string, count: number, state: string, sentMsAgo = 0) {
  const ids = await fillAccepted(database.sql, provider, count)
  await database.sql`
    update attempt set state = ${state}, created_at = now() - ${sentMsAgo}::float8 * interval '1 millisecond',
      accepted_at = case when ${state} = 'accepted' then now() end
    where id = any(${ids}::text[])`
  return ids
}
const causes = async () => (await findHolds(database.sql)).map(({ provider, cause }) => `${provider} ${cause}`)
const unknown: SubmitOutcome = { outcome: 'unknown', cause: 'answered 500' }
const refused: SubmitOutcome = { outcome: 'refused', code: 'generation_unavailable', cause: 'answered 422' }
const accepted: SubmitOutcome = { outcome: 'accepted', providerTaskId: 'p', echoed: false }

test('unknown outcomes hold a provider once there are enough in the window, unless ten times as many submits were answered since', async () => {
  const holds = holdsWith()
  await fill('fal', 2, 'unknown')
  await fill('fal', 5, 'unknown', 120_000)
  await holds.report(planned('fal'), unknown)
  expect(await causes()).toEqual([])
  await fill('well', 3, 'unknown', 1_000)
  await fill('well', 27, 'accepted')
  await holds.report(planned('well'), unknown)
  expect(await causes()).toEqual([])
  await fill('fal', 1, 'unknown')
  await fill('fal', 26, 'refused', 30_000)
  await holds.report(planned('fal'), unknown)
  await holds.report(planned('fal'), unknown)
  expect(await causes()).toEqual(['fal unanswered'])
  expect(holds.stateOf(connector('fal'), 'm')).not.toBe('open')
})

test('a provider that falls silent is held at the second look; one that uploads its inputs or has answered is not waited for', async () => {
  const holds = holdsWith()
  await fill('fal', 2, 'unknown', 5_000)
  // Not for long enough, however long this test takes.
  await fill('fal', 9, 'sending', -60_000)
  const [slow = '', other = ''] = await fill('fal', 2, 'sending', 5_000)
  const [one, elsewhere] = [planned('fal'), planned('kling')]
  const lookTwice = async () => {
    await holds.turnedAway([one, elsewhere])
    await pause(1_100)
    return holds.turnedAway([one, elsewhere])
  }
  for (const payload of ['{"uploading": true}', '{"answered": true}']) {
    await database.sql`update job set payload = ${payload}::text::jsonb where id = ${slow}`
    expect(await lookTwice()).toEqual(new Set())
  }
  await database.sql`update job set payload = '{}' where id = ${slow}`
  for (const _ of ['first', 'at once']) expect(await holds.turnedAway([one, elsewhere])).toEqual(new Set())
  await database.sql`update attempt set state = 'refused' where id = ${other}`
  expect(await lookTwice()).toEqual(new Set())
  await database.sql`update attempt set state = 'sending' where id = ${other}`
  expect(await lookTwice()).toEqual(new Set([one.attempt.id]))
  expect(await causes()).toEqual(['fal unanswered'])
  expect(await holdsWith({ submitHolds: false }).turnedAway([planned('kling')])).toEqual(new Set())
})

test('a slow provider that answers as many as it lets wait is not held', async () => {
  const holds = holdsWith()
  await fill('fal', 20, 'sending', 4_500)
  const answered = await fill('fal', 4, 'accepted', 9_000)
  for (const held of [false, true]) {
    await holds.turnedAway([planned('fal')])
    await pause(1_100)
    expect((await holds.turnedAway([planned('fal')])).size).toBe(held ? 1 : 0)
    await database.sql`update attempt set accepted_at = now() - interval '10 seconds' where id = any(${answered}::text[])`
  }
})

test('what was planned before a pause was known is turned away too', async () => {
  const pauseOfFal = {
    provider: 'fal',
    model: null,
    cause: 'paused',
    reason: 'r',
    startedBy: 'ada',
    keyDigest: null,
    probeAfterMs: null,
  } as const
  await insertHold(database.sql, pauseOfFal)
  const [one, elsewhere] = [planned('fal'), planned('kling')]
  expect(await holdsWith({ submitHolds: false }).turnedAway([one, elsewhere])).toEqual(new Set([one.attempt.id]))
})

test('one order of all dispatchers gets the probe; its certain answer ends the hold at once, and what was undecided before counts no more', async () => {
  const dispatchers = Array.from({ length: 4 }, () => holdsWith())
  await fill('fal', 9, 'unknown', 5_000)
  for (let round = 0; round < 10; round++) {
    await dispatchers[0]?.report(planned('fal'), unknown)
    await database.sql`update route_hold set probe_at = now()`
    await Promise.all(dispatchers.map(holds => holds.look()))
    expect(dispatchers.map(holds => holds.stateOf(connector('fal'), 'm'))).toEqual(Array.from({ length: 4 }, () => 'probe'))
    const batches = dispatchers.map(holds => ({ holds, orders: [planned('fal', { probe: true }), planned('fal', { probe: true })] }))
    const away = await Promise.all(batches.map(({ holds, orders }) => holds.turnedAway(orders)))
    const trying = batches.flatMap(({ orders }, index) => orders.filter(({ attempt }) => !away[index]?.has(attempt.id)))
    expect(trying.length).toBe(1)
    await dispatchers[1]?.report(planned('fal', { probe: true }), { ...refused, unsent: true })
    expect(await causes()).toEqual(['fal unanswered'])
    await dispatchers[1]?.report(planned('fal', { probe: true }), refused)
    expect(await causes()).toEqual([])
    await dispatchers[2]?.report(planned('fal'), unknown)
    expect(await causes()).toEqual([])
    await database.sql`delete from route_hold`
  }
})

test('no second probe goes while the first waits for its answer, and each pause is twice as long', async () => {
  const holds = holdsWith({ unansweredProbes: { firstMs: 10_000, maxMs: 30_000 } })
  const hold = {
    provider: 'fal',
    model: null,
    cause: 'unanswered',
    reason: 'r',
    startedBy: null,
    keyDigest: null,
    probeAfterMs: 10_000,
  } as const
  await insertHold(database.sql, hold)
  const pauses: number[] = []
  await holds.look()
  expect(holds.stateOf(connector('fal'), 'm')).toBe('held')
  for (const _ of [1, 2, 3]) {
    await database.sql`update route_hold set probe_at = now()`
    await holds.look()
    const probe = planned('fal', { probe: true })
    expect(await holds.turnedAway([probe])).toEqual(new Set())
    const [row] = await database.sql<{ pauseMs: number }[]>`
      select round(extract(epoch from probe_at - now()))::int * 1000 as "pauseMs" from route_hold`
    pauses.push(row?.pauseMs ?? 0)
    const [id = ''] = await fill('fal', 1, 'sending')
    await database.sql`update route_hold set probe_attempt = ${id}, probe_at = now()`
    await holds.look()
    expect(holds.stateOf(connector('fal'), 'm')).toBe('held')
    expect((await holds.turnedAway([planned('fal', { probe: true })])).size).toBe(1)
    await database.sql`update attempt set state = 'unknown' where id = ${id}`
  }
  expect(pauses).toEqual([20_000, 30_000, 30_000])
})

test('a refused key and an empty balance are holds of their own: a new key lifts the first, an accepted order of a probe both', async () => {
  const holds = holdsWith()
  await holds.report(planned('fal'), { ...refused, account: 'key_refused' })
  await holds.report(planned('kling'), { ...refused, account: 'no_balance' })
  expect(await causes()).toEqual(['fal key_refused', 'kling no_balance'])
  expect(['k1', 'k2'].map(key => holds.stateOf(connector('fal', key), 'm'))).toEqual(['held', 'open'])
  await holds.report(planned('fal', {}, connector('fal', 'k2')), { ...refused, account: 'key_refused' })
  expect(['k1', 'k2'].map(key => holds.stateOf(connector('fal', key), 'm'))).toEqual(['open', 'held'])
  await holds.report(planned('kling', { probe: true }), refused)
  await holds.report(planned('fal', {}, connector('fal', 'k3')), accepted)
  expect(await causes()).toEqual(['kling no_balance'])
  await holds.report(planned('kling', { probe: true }), accepted)
  expect(await causes()).toEqual([])
  const rows = await database.sql`select provider, cause, end_reason from route_hold order by id`
  expect(rows.map(({ end_reason: reason }) => reason)).toEqual(['another key was accepted', 'a probe was accepted'])
})

test('with holds switched off a provider’s answers hold nothing', async () => {
  const holds = holdsWith({ submitHolds: false })
  await fill('fal', 9, 'unknown')
  await holds.report(planned('fal'), unknown)
  await holds.report(planned('fal'), { ...refused, account: 'no_balance' })
  expect(await causes()).toEqual([])
})
