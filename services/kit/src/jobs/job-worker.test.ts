import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { connectPostgres, type Sql } from '../database/postgres'
import { metricsText } from '../telemetry/metrics'
import { type TestDatabase, testDatabase, testLog, until } from '../testing'
import { claimJobs, deleteHeldJobs, insertJobs, type Job, lockHeldJobs, rescheduleHeldJobs } from './job-repository'
import { type JobWorker, type JobWorkerOptions, startJobWorker } from './job-worker'

let database: TestDatabase
let sql: Sql
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../testing/no-migrations'))
  sql = database.sql
})
afterAll(() => database.drop())

const newKind = () => `kind-${crypto.randomUUID()}`

/** Runs jobs until `use` is done. The clock of leases is short, so that their ends can be waited for. */
async function withWorker(
  options: Pick<JobWorkerOptions<unknown>, 'kind' | 'run'> & Partial<JobWorkerOptions<unknown>>,
  use: (worker: JobWorker) => Promise<void>,
) {
  const worker = startJobWorker({ sql, log: testLog, concurrency: 4, leaseMs: 1_500, pollEveryMs: 50, ...options })
  try {
    await use(worker)
  } finally {
    await worker.stop()
  }
}

const end = (job: Job) => deleteHeldJobs(sql, [job])
const left = async (kind: string) => Number((await sql`select count(*) as jobs from job where kind = ${kind}`)[0]?.jobs)
const lostJobs = async (kind: string) =>
  Number(new RegExp(`^jobs_lost_total\\{kind="${kind}"\\} (\\d+)`, 'm').exec(await metricsText())?.[1] ?? 0)
const untilAborted = (signal: AbortSignal) =>
  new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))

/** What another gets as soon as a lease has ended. */
const claimedSoon = (kind: string) => until('the lease has ended', async () => (await claimJobs(sql, kind, 'another', 60_000, 1))[0])

test('each job is run once by one of several workers, never more at a time than allowed', async () => {
  const kind = newKind()
  const runs: string[] = []
  let running = 0
  let runningMax = 0
  const run = async (job: Job) => {
    runningMax = Math.max(runningMax, ++running)
    runs.push(job.id)
    await Bun.sleep(5)
    await end(job)
    running -= 1
  }
  await insertJobs(
    sql,
    Array.from({ length: 60 }, (_, n) => ({ kind, id: `${n}` })),
  )
  await withWorker({ kind, run, concurrency: 3 }, () =>
    withWorker({ kind, run, concurrency: 3 }, () => until('all', async () => (await left(kind)) === 0).then(() => {})),
  )
  expect(runs.length).toBe(60)
  expect(new Set(runs).size).toBe(60)
  expect(runningMax).toBeLessThanOrEqual(6)
})

test('a job that is there already is left alone, and the payload comes as it was given', async () => {
  const kind = newKind()
  expect(await insertJobs(sql, [{ kind, id: 'a', payload: { n: 1, words: ['ü'] } }])).toEqual(new Set(['a']))
  expect(
    await insertJobs(sql, [
      { kind, id: 'a', payload: { n: 2 } },
      { kind, id: 'b' },
    ]),
  ).toEqual(new Set(['b']))
  const jobs = await claimJobs(sql, kind, 'me', 1_000, 10)
  expect(jobs.map(({ id, payload, epoch, tries }) => ({ id, payload, epoch, tries })).sort((x, y) => x.id.localeCompare(y.id))).toEqual([
    { id: 'a', payload: { n: 1, words: ['ü'] }, epoch: 1, tries: 1 },
    { id: 'b', payload: {}, epoch: 1, tries: 1 },
  ])
})

test('a job is not due before its time, and waking a worker spares the wait for its next look', async () => {
  const kind = newKind()
  const runs: string[] = []
  const run = async (job: Job) => {
    runs.push(job.id)
    await end(job)
  }
  await withWorker({ kind, run, pollEveryMs: 600_000 }, async worker => {
    await Bun.sleep(100)
    await insertJobs(sql, [
      { kind, id: 'now' },
      { kind, id: 'later', runAfterMs: 60_000 },
    ])
    worker.wake()
    await until('the first', () => runs.length === 1)
    worker.wake()
    await Bun.sleep(200)
  })
  expect(runs).toEqual(['now'])
})

test('a long run keeps its lease: nobody else gets the job meanwhile', async () => {
  const kind = newKind()
  const runs: number[] = []
  const run = async (job: Job) => {
    runs.push(job.epoch)
    await Bun.sleep(4_000)
    await end(job)
  }
  await insertJobs(sql, [{ kind, id: 'long' }])
  await withWorker({ kind, run }, () => withWorker({ kind, run }, () => until('done', async () => (await left(kind)) === 0).then(() => {})))
  expect(runs).toEqual([1])
})

test('whoever lost the lease is told so and can write nothing more; the new holder can', async () => {
  const kind = newKind()
  const aborted: string[] = []
  await insertJobs(sql, [{ kind, id: 'contested' }])
  const run = async (job: Job, signal: AbortSignal) => {
    await sql`update job set lease_until = now() - interval '1 second' where kind = ${kind}`
    const [taken] = await claimJobs(sql, kind, 'another', 60_000, 1)
    expect(taken).toMatchObject({ id: 'contested', epoch: 2, tries: 2 })
    await untilAborted(signal)
    aborted.push(String(signal.reason))
    expect(await sql.begin(sql => lockHeldJobs(sql, [job]))).toEqual(new Set())
    expect(await deleteHeldJobs(sql, [job])).toEqual(new Set())
    expect(await rescheduleHeldJobs(sql, [{ job, runAfterMs: 0 }])).toEqual(new Set())
    if (taken) expect(await sql.begin(sql => lockHeldJobs(sql, [taken]))).toEqual(new Set(['contested']))
    if (taken) await end(taken)
    aborted.push('done')
  }
  await withWorker({ kind, run }, () => until('the end', () => aborted.length === 2).then(() => {}))
  expect(aborted).toEqual(['Error: lease lost', 'done'])
})

test('a run that has ended its job, or given it back, and takes its time to return has lost nothing and is not disturbed', async () => {
  const kind = newKind()
  await insertJobs(sql, [
    { kind, id: 'ended' },
    { kind, id: 'given back' },
  ])
  const aborted: string[] = []
  const returned: string[] = []
  const lostBefore = await lostJobs(kind)
  const run = async (job: Job, signal: AbortSignal) => {
    if (job.id === 'ended') await end(job)
    else await rescheduleHeldJobs(sql, [{ job, runAfterMs: 600_000 }])
    // Two renewals come in between.
    await Bun.sleep(1_100)
    if (signal.aborted) aborted.push(`${job.id}: ${signal.reason}`)
    returned.push(job.id)
  }
  await withWorker({ kind, run }, () => until('both', () => returned.length === 2).then(() => {}))
  expect(aborted).toEqual([])
  expect((await lostJobs(kind)) - lostBefore).toBe(0)
  const [row] = await sql`select owner, lease_until from job where kind = ${kind}`
  expect(row).toEqual({ owner: null, lease_until: null })
})

// With one place this worker has none left to claim it again: another does.
test.each([1, 2])('a job that its run has given back is not lost to whoever takes it next: a worker with %i places', async concurrency => {
  const kind = newKind()
  const returned: string[] = []
  await insertJobs(sql, [{ kind, id: 'given back' }])
  const lostBefore = await lostJobs(kind)
  const run = async (job: Job) => {
    if (job.epoch > 1) return void (await end(job))
    await rescheduleHeldJobs(sql, [{ job, runAfterMs: 0 }])
    if (concurrency === 1) expect(await claimJobs(sql, kind, 'another', 60_000, 1)).toHaveLength(1)
    // Two renewals come in between, and looks at what is due.
    await Bun.sleep(1_100)
    returned.push(job.id)
  }
  await withWorker({ kind, run, concurrency }, () => until('the first run', () => returned.length === 1).then(() => {}))
  expect((await lostJobs(kind)) - lostBefore).toBe(0)
})

test('a run whose lease can no longer be renewed is aborted when the lease ends, before another may start', async () => {
  const kind = newKind()
  const own = connectPostgres({ url: database.url, poolMax: 2, applicationName: 'test' })
  await insertJobs(sql, [{ kind, id: 'cut off' }])
  const aborted = Promise.withResolvers<[string, number]>()
  const run = async (_: Job, signal: AbortSignal) => {
    await own.end({ timeout: 0 })
    await untilAborted(signal)
    aborted.resolve([String(signal.reason), Date.now()])
  }
  await withWorker({ kind, run, sql: own }, async () => {
    const [reason, abortedAtMs] = await aborted.promise
    expect(reason).toBe('Error: lease ran out')
    const [row] = await sql`select lease_until from job where kind = ${kind}`
    // A timer may be late by as much as the machine is busy.
    expect(abortedAtMs).toBeLessThan(row?.lease_until.getTime() + 1_000)
  })
  expect(await claimedSoon(kind)).toMatchObject({ epoch: 2 })
})

test('a job whose process died is run by another when the lease has ended', async () => {
  const kind = newKind()
  await insertJobs(sql, [{ kind, id: 'orphan' }])
  await claimJobs(sql, kind, 'the dead', 1_000, 1)
  const runs: Pick<Job, 'epoch' | 'tries'>[] = []
  const run = async (job: Job) => {
    runs.push({ epoch: job.epoch, tries: job.tries })
    await end(job)
  }
  await withWorker({ kind, run }, () => until('run', () => runs.length === 1).then(() => {}))
  expect(runs).toEqual([{ epoch: 2, tries: 2 }])
})

test('a run that throws is tried again when its lease ends', async () => {
  const kind = newKind()
  await insertJobs(sql, [{ kind, id: 'failing' }])
  const tries: number[] = []
  const run = async (job: Job) => {
    tries.push(job.tries)
    if (job.tries < 2) throw new Error('not yet')
    await end(job)
  }
  await withWorker({ kind, run, leaseMs: 400 }, () => until('run', async () => (await left(kind)) === 0).then(() => {}))
  expect(tries).toEqual([1, 2])
})

test('a worker that stops aborts its runs and gives the jobs back at once, but not those that ended themselves', async () => {
  const kind = newKind()
  await insertJobs(sql, [
    { kind, id: 'running' },
    { kind, id: 'rescheduled' },
  ])
  const started: string[] = []
  const run = async (job: Job, signal: AbortSignal) => {
    started.push(job.id)
    await untilAborted(signal)
    if (job.id === 'rescheduled') await rescheduleHeldJobs(sql, [{ job, runAfterMs: 60_000 }])
  }
  await withWorker({ kind, run, leaseMs: 600_000 }, () => until('both run', () => started.length === 2).then(() => {}))
  expect((await claimJobs(sql, kind, 'next', 1_000, 10)).map(({ id }) => id)).toEqual(['running'])
})

test('a rescheduled job comes back at its time, with what it was given and its tries', async () => {
  const kind = newKind()
  await insertJobs(sql, [
    { kind, id: 'a', payload: { step: 1 } },
    { kind, id: 'b', payload: { step: 1 } },
  ])
  const [first, second] = await claimJobs(sql, kind, 'me', 60_000, 2)
  if (!first || !second) throw new Error('two jobs were due')
  await rescheduleHeldJobs(sql, [
    { job: first, runAfterMs: 0, payload: { step: 2 }, resetTries: true },
    { job: second, runAfterMs: 0 },
  ])
  const again = await claimJobs(sql, kind, 'me', 60_000, 2)
  const shown = new Map(again.map(({ id, payload, epoch, tries }) => [id, { payload, epoch, tries }]))
  expect(shown.get(first.id)).toEqual({ payload: { step: 2 }, epoch: 2, tries: 1 })
  expect(shown.get(second.id)).toEqual({ payload: { step: 1 }, epoch: 2, tries: 2 })
})

test('one account’s hundreds of jobs do not stand before another’s one', async () => {
  const kind = newKind()
  await insertJobs(
    sql,
    Array.from({ length: 700 }, (_, n) => ({ kind, id: `many-${n}`, fairnessKey: 'many' })),
  )
  await insertJobs(sql, [{ kind, id: 'one', fairnessKey: 'one' }])
  const claimed = await claimJobs(sql, kind, 'me', 60_000, 4)
  expect(claimed.map(({ fairnessKey }) => fairnessKey).sort()).toEqual(['many', 'many', 'many', 'one'])
})

test('two that claim at once never get the same job', async () => {
  const kind = newKind()
  await insertJobs(
    sql,
    Array.from({ length: 200 }, (_, n) => ({ kind, id: `${n}` })),
  )
  const claims = await Promise.all(Array.from({ length: 8 }, (_, n) => claimJobs(sql, kind, `worker-${n}`, 60_000, 20)))
  const ids = claims.flat().map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBeGreaterThan(0)
})

test('a leased job is its holder’s until the lease ends, and comes to the next under another epoch', async () => {
  const kind = newKind()
  await insertJobs(sql, [{ kind, id: 'mine' }])
  await claimJobs(sql, kind, 'me', 300, 1)
  expect(await claimJobs(sql, kind, 'another', 60_000, 1)).toHaveLength(0)
  expect(await claimedSoon(kind)).toMatchObject({ epoch: 2, tries: 2 })
})
