import { afterAll, expect, test } from 'bun:test'
import { claimJobs, insertJobs, type Job } from '@filmgate/kit/jobs/job-repository'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { migrationsFolder } from '../../database/migrations-folder'
import type { Gateway } from '../../gateway/gateway'
import { changesKind } from '../job-kinds'
import { fakeLedger } from '../testing/fakes'
import { insertTestPurchase } from '../testing/purchase'
import { insertChanges } from './change-repository'
import { sendChanges } from './send-changes'

const { sql, drop } = await testDatabase(migrationsFolder)
afterAll(drop)

async function send(gateway: Gateway): Promise<{ tries: number; dueInMs: number }> {
  const { id } = await insertTestPurchase(sql)
  await sql.begin(sql => insertChanges(sql, id, [{ id: `stripe:pi_${id}`, kind: 'grant', credits: 1_000, reason: 'a test' }]))
  await insertJobs(sql, [{ kind: changesKind, id }])
  for (let turn = 0; turn < 3; turn++) {
    await sql`update job set run_at = now() where id = ${id}`
    const [job] = (await claimJobs(sql, changesKind, 'test', 10_000, 1)) as Job[]
    if (job) await sendChanges({ sql, gateway, log: testLog }, job, AbortSignal.abort())
  }
  const [job] = await sql<{ tries: number; dueInMs: number }[]>`
    select tries, extract(epoch from run_at - now())::float8 * 1000 as "dueInMs" from job where id = ${id}`
  await sql`delete from job`
  return job as { tries: number; dueInMs: number }
}

test('while the gateway can’t be reached no change waits longer each time, so that all go on at once afterwards', async () => {
  const away = { ...fakeLedger(), request: () => Promise.reject(new Error('ECONNREFUSED')) } as unknown as Gateway
  const faulty = fakeLedger()
  faulty.faults.push(503, 502, 503)
  for (const gateway of [away, faulty]) {
    const { tries, dueInMs } = await send(gateway)
    expect([tries, dueInMs < 100]).toEqual([0, true])
  }
})

test('what the ledger has not decided is asked for again, each time later', async () => {
  const undecided = fakeLedger()
  undecided.faults.push(202, 202, 202)
  const { tries, dueInMs } = await send(undecided)
  expect([tries, dueInMs > 1_000]).toEqual([3, true])
})
