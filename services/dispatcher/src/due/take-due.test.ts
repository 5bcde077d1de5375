import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { type TestDatabase, testDatabase, until } from '@filmgate/kit/testing'
import type { Budget, Connector } from '../providers/connector'
import { fillAccepted } from '../testing/fill-accepted'
import { opensAfter, probeFirstMs } from './breaker'
import { findProviderLimits, insertProviderLimits } from './provider-limits-repository'
import { pauseFirstMs } from './rate'
import { type CallsReport, recordCalls } from './report-calls'
import { scheduleDue } from './take-due'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database.drop())

const minute = 60_000
type Provider = { provider: string; ids: string[]; budget: Budget; used: number; left: number }

/**
 * A provider of the test's own with attempts that came due a minute ago, accepted so long ago each; null: their sender
 * ended.
 */
async function providerWith(sql: Sql | TransactionSql, accepted: (number | null)[], own: Partial<Provider> = {}): Promise<Provider> {
  const provider = crypto.randomUUID()
  const ids = await fillAccepted(sql, provider, accepted.length)
  await sql`
    update attempt set state = case when ms is null then 'sending' else 'accepted' end, accepted_at = now() - ms * interval '1 millisecond'
    from unnest(${ids}::text[], ${accepted}::float8[]) as given (id, ms) where attempt.id = given.id`
  await sql`
    update job set run_at = now() - interval '1 minute', lease_until = case when state = 'sending' then now() end
    from attempt where attempt.id = job.id and job.id = any(${ids}::text[])`
  await insertProviderLimits(sql, [provider])
  return { provider, ids, budget: { perSecond: 1_000, atOnce: 1_000 }, used: 0, left: 1_000, ...own }
}

function schedule(sql: TransactionSql, { provider, budget, used, left }: Provider, owner = 'one', limit = 1_000) {
  const connector = { provider, budget, cadence: { firstMs: 3_000, ofAge: 0.1, maxMs: 30_000 } } as Connector
  return scheduleDue(
    {
      ...{ sql, owner, overduePollMs: minute, generationTimeoutMs: 60 * minute },
      routing: { connectors: [connector] },
      lookUpOf: () => ({ firstMs: 500, growth: 2, maxMs: 15_000 }),
      slots: { usedBy: () => used, leftFor: () => left },
    },
    limit,
  )
}
/** What calls to a provider came to, by default to nothing. */
const reportOf = ({ provider }: Provider, own: Partial<CallsReport> = {}): CallsReport => ({
  ...{ provider, answered: false, unanswered: 0, rateLimited: false, retryAfterMs: undefined, ...own },
})
const polledOf = ({ scheduled }: Awaited<ReturnType<typeof schedule>>) => scheduled.filter(({ decision }) => decision === 'poll')

/** How many are polled, and how many wait. */
async function counted(scheduling: ReturnType<typeof schedule>): Promise<[number, number]> {
  const all = await scheduling
  const polled = polledOf(all).length
  return [polled, all.scheduled.length - polled]
}

/** In one transaction, where Postgres' clock stands still: only `pass` moves time. What it wrote is undone. */
async function withStoppedClock(work: (sql: TransactionSql) => Promise<void>): Promise<void> {
  const undone = new Error('undone')
  await database.sql
    .begin(async sql => {
      await work(sql)
      throw undone
    })
    .catch(error => {
      if (error !== undone) throw error
    })
}

/** As if so much time had passed for this provider. */
async function pass(sql: TransactionSql, { provider, ids }: Provider, ms: number): Promise<void> {
  const by = sql`${ms}::float8 * interval '1 millisecond'`
  await sql`update job set run_at = run_at - ${by} where id = any(${ids}::text[])`
  await sql`
    update provider_pace set turn_at = turn_at - ${by}, held_until = held_until - ${by}, probe_at = probe_at - ${by} where provider = ${provider}`
  await sql`update provider_asker set seen_at = seen_at - ${by} where provider = ${provider}`
}

const many = (count: number, agoMs: number | null = 0) => Array.from({ length: count }, () => agoMs)

/** How long until each of its attempts is due, shortest first. */
const waitsOf = async (sql: TransactionSql, { ids }: Provider): Promise<number[]> =>
  (
    await sql<{ ms: number }[]>`
      select (extract(epoch from run_at - now()) * 1000)::float8 as ms from job where id = any(${ids}::text[]) order by run_at`
  ).map(({ ms }) => ms)

test('more than a provider’s rate wait for their starts, in line and written once', () =>
  withStoppedClock(async sql => {
    const provider = await providerWith(sql, many(30), { budget: { perSecond: 10, atOnce: 1_000 } })
    expect(await counted(schedule(sql, provider))).toEqual([10, 20])
    expect(await counted(schedule(sql, provider))).toEqual([0, 0])
    await pass(sql, provider, 1_000)
    expect(await counted(schedule(sql, provider))).toEqual([10, 0])
    await pass(sql, provider, 1_000)
    const polled = polledOf(await schedule(sql, provider))
    expect(polled.length).toBe(10)
    // Due a minute before the first: its wait is part of how late it is.
    for (const { nowMs, waitingSinceMs } of polled) expect(nowMs - waitingSinceMs).toBeCloseTo(minute, 2)
    expect([...(await sql`select distinct payload from job where id = any(${provider.ids}::text[])`)]).toEqual([{ payload: {} }])
  }))

test('dispatchers that claim at the same time claim other attempts and share a provider’s rate', async () => {
  const { sql } = database
  const provider = await providerWith(sql, many(20), { budget: { perSecond: 10, atOnce: 1_000 } })
  const blocked = () => sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const { first, claiming } = await sql.begin(async own => {
    const first = await schedule(own, provider, 'one', 10)
    const claiming = sql.begin(other => schedule(other, provider, 'two', 10))
    await until('the second waits for the first', async () => (await blocked()).length > 0)
    return { first, claiming: { claiming } }
  })
  const second = await claiming.claiming
  expect(new Set([first, second].flatMap(({ scheduled }) => scheduled.map(({ jobId }) => jobId))).size).toBe(20)
  const apartMs = (second.scheduled[0]?.nowMs ?? 0) - (first.scheduled[0]?.nowMs ?? 0)
  expect([first, second].map(all => polledOf(all).length)).toEqual([10, Math.min(10, Math.floor(apartMs / 100))])
  await sql`delete from job`
})

test('a provider is polled about no more at once than it has slots, whoever polls', () =>
  withStoppedClock(async sql => {
    const provider = await providerWith(sql, many(20), { budget: { perSecond: 1_000, atOnce: 8 }, used: 2 })
    expect(await counted(schedule(sql, provider, 'one', 10))).toEqual([6, 4])
    // What the first one uses counts: six and two.
    expect(await counted(schedule(sql, { ...provider, used: 0 }, 'two', 10))).toEqual([0, 10])
    await pass(sql, provider, minute)
    expect((await counted(schedule(sql, { ...provider, used: 0 }, 'two', 20)))[0]).toBe(8)
  }))

test('where there are fewer polls than due attempts, the provider whose attempts waited longest is served', () =>
  withStoppedClock(async sql => {
    const [early, late] = [await providerWith(sql, many(2)), await providerWith(sql, many(2))].toSorted((a, b) =>
      a.provider < b.provider ? -1 : 1,
    )
    if (!early || !late) throw new Error('two providers')
    await pass(sql, late, minute)
    const connectors = [early, late].map(({ provider, budget }) => ({
      provider,
      budget,
      cadence: { firstMs: 3_000, ofAge: 0.1, maxMs: 30_000 },
    }))
    const scheduled = await scheduleDue(
      {
        ...{ sql, owner: 'one', overduePollMs: minute, generationTimeoutMs: 60 * minute },
        routing: { connectors: connectors as Connector[] },
        lookUpOf: () => ({ firstMs: 500, growth: 2, maxMs: 15_000 }),
        slots: { usedBy: () => 0, leftFor: () => 1_000 },
      },
      10,
      2,
    )
    expect(polledOf(scheduled).map(({ provider }) => provider)).toEqual([late.provider, late.provider])
  }))

test('a provider that limits our rate is left alone for seconds, and polled at its rate from then on', () =>
  withStoppedClock(async sql => {
    const provider = await providerWith(sql, many(20), { budget: { perSecond: 10, atOnce: 1_000 } })
    await recordCalls(sql, [reportOf(provider, { answered: true, rateLimited: true, retryAfterMs: 3_600_000 })])
    expect(await counted(schedule(sql, provider))).toEqual([0, 20])
    const waits = await waitsOf(sql, provider)
    expect(waits.map(Math.round)).toEqual(Array.from({ length: 20 }, (_, index) => pauseFirstMs + index * 100))
    await pass(sql, provider, pauseFirstMs - 1)
    expect(await counted(schedule(sql, provider))).toEqual([0, 0])
    await pass(sql, provider, 501)
    expect(await counted(schedule(sql, provider))).toEqual([6, 0])
  }))

test('an open breaker keeps no attempt from its review, and no lost answer from being recorded', () =>
  withStoppedClock(async sql => {
    const provider = await providerWith(sql, [null, 0, 61 * minute])
    await recordCalls(sql, [reportOf(provider, { unanswered: opensAfter })])
    const { scheduled } = await schedule(sql, provider)
    expect(scheduled.map(({ state, acceptedMsAgo, decision }) => [state, acceptedMsAgo / minute, decision]).toSorted()).toEqual([
      ['accepted', 0, 'has-start'],
      ['accepted', 61, 'poll'],
      ['sending', 0, 'poll'],
    ])
    const jobs = await sql`select epoch::int, lease_until, owner from job where id = ${provider.ids[0] ?? ''}`
    expect([...jobs]).toEqual([{ epoch: 2, lease_until: null, owner: null }])
  }))

test('a provider that answers nothing is polled about one attempt at a time, until it answers', () =>
  withStoppedClock(async sql => {
    const provider = await providerWith(sql, many(10))
    const report = (answered: boolean, unanswered: number) => recordCalls(sql, [reportOf(provider, { answered, unanswered })])
    expect(await report(false, opensAfter - 1)).toEqual([])
    expect(await report(false, 1)).toEqual([{ provider: provider.provider, to: 'open' }])
    const [limits] = await findProviderLimits(sql, [provider.provider])
    expect(limits).toMatchObject({ unanswered: opensAfter, probes: 0, probeAtMs: (limits?.nowMs ?? 0) + probeFirstMs })
    expect(await counted(schedule(sql, provider))).toEqual([0, 10])
    await pass(sql, provider, probeFirstMs + 100)
    expect(await counted(schedule(sql, provider))).toEqual([1, 9])
    await report(false, 1)
    await pass(sql, provider, probeFirstMs - 500)
    expect((await counted(schedule(sql, provider)))[0]).toBe(0)
    await pass(sql, provider, 700)
    const probed = polledOf(await schedule(sql, provider))
    expect(probed.map(({ answerCounts }) => answerCounts)).toEqual([true])
    expect(await report(true, 3)).toEqual([{ provider: provider.provider, to: 'closed' }])
    await pass(sql, provider, minute)
    expect(await counted(schedule(sql, provider))).toEqual([10, 0])
  }))

test('the pauses of a provider that goes on limiting our rate grow, and shrink with its answers, for all dispatchers', () =>
  withStoppedClock(async sql => {
    const provider = await providerWith(sql, many(1))
    const pauses: number[] = []
    for (const rateLimited of [true, true, true, false, true, false, false, false, true]) {
      await recordCalls(sql, [reportOf(provider, { answered: !rateLimited, rateLimited })])
      const [limits] = await findProviderLimits(sql, [provider.provider])
      pauses.push(Math.max(0, Math.round((limits?.pausedUntilMs ?? 0) - (limits?.nowMs ?? 0))))
      expect(limits).toMatchObject({ unanswered: 0, probeAtMs: null })
      await pass(sql, provider, minute)
      expect(polledOf(await schedule(sql, provider)).map(({ answerCounts }) => answerCounts)).toEqual([(limits?.pauseMs ?? 0) > 0])
      await pass(sql, provider, minute)
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 0, 8_000, 0, 0, 0, 2_000])
  }))

test('an attempt that nobody can be asked about is not the probe of an open breaker', () =>
  withStoppedClock(async sql => {
    const provider = await providerWith(sql, many(3))
    const [unknown = '', first = ''] = provider.ids
    await sql`update attempt set state = 'unknown' where id = ${unknown}`
    await sql`update job set run_at = now() - interval '2 minutes' where id = ${unknown}`
    await recordCalls(sql, [reportOf(provider, { unanswered: opensAfter })])
    await pass(sql, provider, probeFirstMs)
    await sql`update job set run_at = now() - interval '90 seconds' where id = ${first}`
    const { scheduled } = await schedule(sql, provider)
    expect(scheduled.map(({ jobId, decision }) => [provider.ids.indexOf(jobId), decision]).toSorted()).toEqual([
      [0, 'poll'],
      [1, 'poll'],
      [2, 'has-start'],
    ])
  }))

test('an answer among calls that got none keeps the breaker closed', () =>
  withStoppedClock(async sql => {
    const provider = await providerWith(sql, many(3))
    const unanswered = reportOf(provider, { unanswered: opensAfter - 1 })
    await recordCalls(sql, [unanswered])
    await recordCalls(sql, [unanswered, { ...unanswered, answered: true }])
    await recordCalls(sql, [unanswered])
    expect(await counted(schedule(sql, provider))).toEqual([3, 0])
  }))

test('an attempt of a provider that is not configured is looked at every minute, and a job without an attempt is deleted', () =>
  withStoppedClock(async sql => {
    const provider = await providerWith(sql, many(2))
    await sql`delete from attempt where id = ${provider.ids[0] ?? ''}`
    expect(await counted(schedule(sql, { ...provider, provider: 'another' }))).toEqual([1, 0])
    expect((await waitsOf(sql, provider)).map(Math.round)).toEqual([minute])
  }))
