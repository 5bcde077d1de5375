import { afterAll, beforeEach, expect, test } from 'bun:test'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import { claimJobs } from '@filmgate/kit/jobs/job-repository'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { taskIdAt } from '@filmgate/proto/task-id'
import { migrationsFolder } from '../../database/migrations-folder'
import { findLastCrossAudit, listCrossAudits } from './cross-audit-repository'
import { crossAuditKind, crossAuditWhenDue, requestCrossAudit } from './request-cross-audit'
import { runCrossAudit } from './run-cross-audit'
import { type Facts, factServices } from './testing/fact-services'

const { sql, drop } = await testDatabase(migrationsFolder)
afterAll(drop)
beforeEach(async () => {
  await sql`truncate cross_audit, job, payment_change, purchase`
})

const hourMs = 3_600_000
/** The hours that have passed for the console; rows of the database have its own time. */
let hours = 0
const now = () => new Date(Date.now() + hours * hourMs)
const signal = new AbortController().signal

async function runNext(facts: Facts) {
  const services = factServices(facts)
  const jobs: Job[] = await claimJobs(sql, crossAuditKind, 'test', 60_000, 10)
  for (const job of jobs) await runCrossAudit({ sql, log: testLog, services, now }, job, signal)
  return { ran: jobs.length, asked: services.asked, last: (await listCrossAudits(sql, 1))[0] }
}

const accountId = 'a1'
const purchaseId = '00000000-0000-0000-0000-000000000001'
function booksOf(tasks: string[], reservations: string[]): Facts {
  const changed_at = new Date(Date.now() - hourMs).toISOString()
  const same = { account_id: accountId, changed_at }
  return {
    'gateway/tasks': tasks.map(task_id => ({
      ...same,
      ...{ task_id, phase: 'completed', billing_status: 'settled', credits_used: 4, credits_refunded: 0, deleted: false },
    })),
    'ledger/reservations': reservations.map(task_id => ({ ...same, task_id, state: 'settled', credits: 4, refunded: 0 })),
    ...{ 'gateway/balances': [], 'ledger/balances': [], 'gateway/credit-changes': [], 'ledger/credit-changes': [] },
    ...{ 'dispatcher/outputs': [], 'dispatcher/attempts': tasks.map(task_id => ({ ...same, task_id, state: 'completed' })) },
  }
}
const idBefore = (ms: number, digit = '1') => `${taskIdAt(new Date(Date.now() - ms)).slice(0, -1)}${digit}`

test('a run begins once an hour and compares the last day but the last ten minutes', async () => {
  hours = 0
  const at = new Date('2026-11-20T10:30:00.000Z')
  for (const minutes of [0, 20]) await crossAuditWhenDue({ sql, now: () => new Date(at.getTime() + minutes * 60_000) })
  const [run, ...others] = await listCrossAudits(sql, 9)
  expect(others).toEqual([])
  expect(run).toMatchObject({
    id: 'hourly-2026-11-20T10',
    since: new Date('2026-11-19T10:30:00Z'),
    until: new Date('2026-11-20T10:20:00Z'),
  })
  await crossAuditWhenDue({ sql, now: () => new Date(at.getTime() + hourMs) })
  expect(await listCrossAudits(sql, 9)).toHaveLength(2)
})

test('differences are kept with their first time, looked at again outside the period, and gone once they are corrected', async () => {
  hours = 0
  const [lost, other] = [idBefore(2 * hourMs), idBefore(hourMs)]
  await crossAuditWhenDue({ sql, now })
  const first = await runNext(booksOf([lost, other], [other]))
  expect(first.last).toMatchObject({
    state: 'done',
    compared: { tasks: { rows: 2, differences: 1 }, balances: { rows: 0, differences: 0 }, credit_changes: { rows: 0, differences: 0 } },
    findings: [{ comparison: 'tasks', check: 'reservation_missing', subject: lost }],
  })
  hours = 30
  await crossAuditWhenDue({ sql, now })
  const second = await runNext(booksOf([lost, other], [other]))
  expect(second.last?.id).not.toBe(first.last?.id)
  expect(second.last?.findings).toEqual(first.last?.findings ?? [])
  hours = 31
  await crossAuditWhenDue({ sql, now })
  expect((await runNext(booksOf([lost, other], [lost, other]))).last).toMatchObject({ state: 'done', findings: [] })
})

test('payments of this database are compared with the ledger’s grants, in pages', async () => {
  hours = 0
  const [made, decided] = [new Date(Date.now() - 2 * hourMs), new Date(Date.now() - hourMs)]
  const changes = Array.from({ length: 501 }, (_, at) => `stripe:pi_${String(at).padStart(3, '0')}${at % 2 ? 'A' : 'a'}`)
  await sql`
      insert into purchase (id, account_id, person_id, pack_id, pack_version, pack_name, credits, amount, currency, livemode, state, payment_intent_id)
      values (${purchaseId}, ${accountId}, 'p1', 'small', 1, 'Small', 500, 900, 'usd', false, 'granted', 'pi_000a')`
  await sql`
    insert into payment_change (id, purchase_id, number, kind, credits, reason, state, created_at, decided_at)
    select id, ${purchaseId}, ordinality, 'grant', 500, 'r', 'applied', ${made}, ${decided} from unnest(${changes}::text[]) with ordinality as row (id)`
  const grant = { account_id: accountId, kind: 'grant', balance: 'paid', credits: 500, state: 'applied' }
  const times = { created_at: decided.toISOString(), changed_at: decided.toISOString() }
  const booked = changes.filter((_, at) => at !== 250).map(id => ({ ...grant, ...times, id }))
  await crossAuditWhenDue({ sql, now })
  const { last } = await runNext({ ...booksOf([], []), 'ledger/credit-changes': booked, 'gateway/credit-changes': booked })
  expect(last?.findings).toMatchObject([{ comparison: 'payments', check: 'payment_not_booked', subject: changes[250] }])
  expect(last?.compared.payments).toEqual({ rows: 501, differences: 1 })
}, 30_000)

test('of many differences the first are kept and all are counted', async () => {
  hours = 0
  await crossAuditWhenDue({ sql, now })
  const tasks = Array.from(
    { length: 700 },
    (_, at) => `${taskIdAt(new Date(Date.now() - hourMs)).slice(0, -3)}${String(at).padStart(3, '0')}`,
  )
  const { last } = await runNext(booksOf(tasks, []))
  expect([last?.findings.length, last?.compared.tasks]).toEqual([100, { rows: 700, differences: 700 }])
})

test('a run that can’t read a service is tried again until half an hour is over, a manual one fails at once and keeps the last result', async () => {
  hours = 0
  const { 'ledger/reservations': _, ...silent } = booksOf([], [])
  await crossAuditWhenDue({ sql, now })
  expect((await runNext(silent)).last).toMatchObject({ state: 'running' })
  expect((await sql<{ wait: boolean }[]>`select run_at > now() + interval '50 seconds' as wait from job`)[0]?.wait).toBe(true)
  await sql`update job set run_at = now()`
  hours = 0.49
  expect((await runNext(silent)).last).toMatchObject({ state: 'failed', fault: 'The ledger does not respond.' })
  expect(await sql`select from job`).toHaveLength(0)

  hours = 0
  const period = { since: new Date(Date.now() - hourMs), until: now() }
  const run = await requestCrossAudit(sql, { requestedBy: 'ada', ...period, createdAt: now() })
  expect(await requestCrossAudit(sql, { requestedBy: 'eve', ...period, createdAt: now() })).toBeUndefined()
  expect((await runNext(silent)).last).toMatchObject({ id: run?.id ?? '', state: 'failed', requestedBy: 'ada' })
  expect(await findLastCrossAudit(sql)).toBeUndefined()
}, 30_000)
