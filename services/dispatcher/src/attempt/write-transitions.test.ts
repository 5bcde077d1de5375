import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { claimJobs, type Job } from '@filmgate/kit/jobs/job-repository'
import { createOutbox, type Outbox } from '@filmgate/kit/outbox/outbox'
import { metricsText } from '@filmgate/kit/telemetry/metrics'
import { type TestDatabase, testDatabase, testLog } from '@filmgate/kit/testing'
import { newAttemptId } from '../testing/attempt-id'
import type { Attempt } from './attempt'
import { insertAttempts } from './attempt-repository'
import { accepted, refused } from './events'
import { attemptJob } from './jobs'
import type { Columns, Transition } from './transition'
import { createWriteTransition, type WriteTransition } from './write-transitions'

let database: TestDatabase
let outbox: Outbox
let write: WriteTransition
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  // Without a broker what is sent stays where it can be counted.
  const bus = { publish: () => Promise.reject(new Error('no broker')) }
  outbox = createOutbox({ sql: database.sql, bus, log: testLog })
  write = createWriteTransition({ sql: database.sql, outbox, topicPrefix: 'test', leaseMs: 5_000, now: () => new Date(), log: testLog })
})
afterAll(async () => {
  await outbox.stop()
  await database.drop()
})

const sent = async (...accountIds: string[]): Promise<string[]> =>
  (await database.sql<{ key: string }[]>`select key from outbox where key = any(${accountIds}) order by key`).map(({ key }) => key)

async function sending(accountId: string = crypto.randomUUID()): Promise<Attempt> {
  const attempt = {
    id: newAttemptId(),
    taskId: `vt_${newAttemptId()}`,
    accountId,
    number: 1,
    provider: 'simulator',
    providerModel: 'alpha-h3',
    model: 'alpha-h3',
    state: 'sending' as const,
    uploads: false,
    traceparent: null,
    absenceAfterMs: 0,
    generationMsMax: 0,
    code: null,
    cause: null,
    source: { topic: 'credits' as const, bytes: new Uint8Array() },
  }
  await insertAttempts(database.sql, [attempt], { owner: 'test', leaseMs: 60_000 })
  return { ...attempt, providerTaskId: null, echoed: true, outputKey: null }
}

/** Takes the attempt's job, whoever holds it. */
async function claim({ id }: Attempt): Promise<Job> {
  await database.sql`update job set lease_until = now(), run_at = now() where id = ${id}`
  const jobs = await claimJobs(database.sql, attemptJob, 'test', 60_000, 1_000)
  const job = jobs.find(one => one.id === id)
  if (!job) throw new Error('the job was not to be had')
  return job
}

const accept = (attempt: Attempt, job: Job, providerTaskId = `sim_${attempt.id}`): Transition => ({
  attempt,
  job,
  to: 'accepted',
  columns: { providerTaskId },
  events: [accepted(attempt, { at: new Date() })],
  after: { next: 'again', afterMs: 60_000 },
})
const refuse = (attempt: Attempt, job: Job): Transition => ({
  attempt,
  job,
  to: 'refused',
  columns: { code: 'generation_unavailable', cause: 'test' },
  events: [refused(attempt, new Date(), 'generation_unavailable')],
  after: { next: 'end' },
})

const stateOf = async ({ id }: Attempt) => (await database.sql<{ state: string }[]>`select state from attempt where id = ${id}`)[0]?.state

test('who lost the lease writes nothing: no state, no job, no event', async () => {
  const attempt = await sending()
  const stale = await claim(attempt)
  const held = await claim(attempt)
  expect(await write(refuse(attempt, stale))).toBe(false)
  expect([await stateOf(attempt), await sent(attempt.accountId)]).toEqual(['sending', []])
  expect(await write(accept(attempt, held))).toBe(true)
  expect([await stateOf(attempt), await sent(attempt.accountId)]).toEqual(['accepted', [attempt.accountId]])
})

test('a lost and a held lease of one job in one batch: the held one is written', async () => {
  const attempt = await sending()
  const stale = await claim(attempt)
  const held = await claim(attempt)
  expect(await Promise.all([write(refuse(attempt, stale)), write(accept(attempt, held))])).toEqual([false, true])
  expect([await stateOf(attempt), await sent(attempt.accountId)]).toEqual(['accepted', [attempt.accountId]])
})

test('of two who asked at the same moment under no lease, the first is written and the second undoes nothing', async () => {
  const attempt = await sending()
  const job = await claim(attempt)
  expect(await write(accept(attempt, job))).toBe(true)
  expect(await write(refuse(attempt, job))).toBe(false)
  const jobs = await database.sql`select 1 from job where id = ${attempt.id}`
  expect([await stateOf(attempt), jobs.count, await sent(attempt.accountId)]).toEqual(['accepted', 1, [attempt.accountId]])
})

test('one transition that can’t be written holds back no other', async () => {
  const attempts = await Promise.all(['acc_a', 'acc_b', 'acc_c'].map(sending))
  const transitions: Transition[] = []
  for (const attempt of attempts) transitions.push(accept(attempt, await claim(attempt)))
  const [, middle] = transitions
  if (middle) middle.columns = { providerTaskId: 'a\u0000b' }
  const results = await Promise.allSettled(transitions.map(write))
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await Promise.all(attempts.map(stateOf))).toEqual(['accepted', 'sending', 'accepted'])
  expect(await sent('acc_a', 'acc_b', 'acc_c')).toEqual(['acc_a', 'acc_c'])
})

test('an illegal transition fails loudly', async () => {
  const attempt = await sending()
  const job = await claim(attempt)
  await expect(write({ ...accept(attempt, job), to: 'completed' })).rejects.toThrow('an attempt that is sending can’t become completed')
})

const heldFor = async ({ id }: Attempt) =>
  (
    await database.sql<{ state: string; cause: string; held: boolean }[]>`
    select state, cause, review_since is not null as held from attempt where id = ${id}`
  )[0]

test('of attempts that a provider tells one id, the first keeps it, the others go to review with the cause, and no other is held back', async () => {
  const [first, second, third, honest] = [await sending(), await sending(), await sending(), await sending()]
  const id = `sim_${crypto.randomUUID()}`
  expect(await write(accept(first, await claim(first), id))).toBe(true)
  const jobs = [await claim(second), await claim(honest), await claim(third)] as const
  const written = [write(accept(second, jobs[0], id)), write(accept(honest, jobs[1])), write(accept(third, jobs[2], id))]
  expect(await Promise.all(written)).toEqual([true, true, true])
  const cause = `the provider named the id ${id}, which attempt ${first.id} has`
  expect(await Promise.all([first, second, third, honest].map(heldFor))).toEqual([
    { state: 'accepted', cause: null, held: false },
    { state: 'unknown', cause, held: true },
    { state: 'unknown', cause, held: true },
    { state: 'accepted', cause: null, held: false },
  ] as never)
  expect((await sent(second.accountId)).length).toBe(1)
})

test('two attempts whose provider told each the other’s id come to their own ones', async () => {
  const [one, other] = [await sending(), await sending()]
  const [ids, others] = [`sim_${one.id}`, `sim_${other.id}`]
  await Promise.all([write(accept(one, await claim(one), others)), write(accept(other, await claim(other), ids))])
  const correct = async (attempt: Attempt, providerTaskId: string, has: string) => {
    const state = (await stateOf(attempt)) as Attempt['state']
    const job = await claim(attempt)
    return write({
      attempt: { ...attempt, state, providerTaskId: has },
      job,
      columns: { providerTaskId },
      after: { next: 'again', afterMs: 0 },
    })
  }
  await correct(one, ids, others)
  await correct(other, others, ids)
  await correct(one, ids, others)
  const rows = await database.sql<{ id: string; told: string }[]>`
    select id, provider_task_id as told from attempt where id in (${one.id}, ${other.id}) order by id`
  expect([...rows]).toEqual([one, other].map(({ id }) => ({ id, told: `sim_${id}` })).sort((a, b) => (a.id < b.id ? -1 : 1)))
})

test('what its provider told of its cost is kept with an attempt, and stays where nothing is told later', async () => {
  const attempt = await sending()
  const accepted = accept(attempt, await claim(attempt))
  await write({ ...accepted, columns: { ...accepted.columns, billedMicroUnits: 3_008_000, billedMicroUsd: 9_007_199_254_740 } })
  const job = await claim(attempt)
  await write({ attempt: { ...attempt, state: 'accepted' }, job, columns: { cause: 'later' }, after: { next: 'again', afterMs: 0 } })
  const rows = await database.sql`select cause, billed_micro_usd, billed_micro_units from attempt where id = ${attempt.id}`
  expect([...rows]).toEqual([{ cause: 'later', billed_micro_usd: 9_007_199_254_740, billed_micro_units: 3_008_000 }])
})

const spent = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    [...(await metricsText()).matchAll(/^provider_cost_dollars_total\{provider="simulator",basis="(\w+)"\} (\S+)$/gm)].map(
      ([, basis = '', dollars]) => [basis, Math.round(Number(dollars) * 1_000_000)],
    ),
  )

type Known = { listed?: number; unit?: number; usd?: number }
type End = { from?: 'accepted' | 'copying'; to: 'copying' | 'completed' | 'failed'; columns?: Columns; known?: Known }

/** Millionths of a dollar that are counted, by their basis, for an attempt that ends so. */
async function countedAt({ from = 'accepted', to, columns, known: { listed, unit, usd } = {} }: End): Promise<Record<string, number>> {
  const attempt = await sending()
  const { sql } = database
  await sql`
    update attempt set state = ${from}, provider_task_id = ${attempt.id}, listed_micro_usd = ${listed ?? null}, unit_micro_usd = ${unit ?? null},
      billed_micro_usd = ${usd ?? null}, output_key = ${from === 'copying' ? attempt.id : null}
    where id = ${attempt.id}`
  const before = await spent()
  const output = to === 'copying' ? { outputKey: attempt.id } : {}
  const held = { ...attempt, state: from }
  const job = await claim(attempt)
  expect(await write({ attempt: held, job, to, columns: { ...output, ...columns }, after: { next: 'end' } })).toBe(true)
  const rises = Object.entries(await spent()).map(([basis, sum]) => [basis, sum - (before[basis] ?? 0)] as const)
  return Object.fromEntries(rises.filter(([, rise]) => rise > 0))
}

test('the cost of an end is what its provider told, else the list price of a video that was made', async () => {
  expect(await countedAt({ to: 'copying', known: { listed: 90 }, columns: { billedMicroUsd: 70 } })).toEqual({ told: 70 })
  expect(await countedAt({ to: 'copying', known: { usd: 60, listed: 90 } })).toEqual({ told: 60 })
  expect(await countedAt({ to: 'copying', known: { unit: 300 }, columns: { billedMicroUnits: 2_500_000 } })).toEqual({ told: 750 })
  expect(await countedAt({ to: 'failed', known: { usd: 60 } })).toEqual({ told: 60 })
  expect(await countedAt({ to: 'copying', known: { listed: 90 } })).toEqual({ listed: 90 })
})

test('no cost is made up: of units without a price, of what failed untold, and of what is counted already', async () => {
  expect(await countedAt({ to: 'copying', columns: { billedMicroUnits: 5 } })).toEqual({})
  expect(await countedAt({ to: 'failed', known: { listed: 90 } })).toEqual({})
  expect(await countedAt({ to: 'failed', known: { unit: 9 }, columns: { billedMicroUnits: 0 } })).toEqual({})
  expect(await countedAt({ from: 'copying', to: 'failed', known: { usd: 60 } })).toEqual({})
  expect(await countedAt({ from: 'copying', to: 'completed', known: { usd: 60 } })).toEqual({})
})
