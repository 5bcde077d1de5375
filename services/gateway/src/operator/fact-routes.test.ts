import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { renderError } from '@filmgate/kit/http/render-error'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { reasons } from '../errors'
import { factRoutes } from './fact-routes'

const { sql, drop } = await testDatabase(join(import.meta.dir, '../../migrations'))
afterAll(drop)
const app = new Elysia({ normalize: false }).use(renderError(testLog, reasons)).use(factRoutes({ sql }))

async function list(path: string) {
  const response = await app.handle(new Request(`http://gateway/facts/${path}`))
  const body = (await response.json()) as { data?: Record<string, unknown>[] }
  return { status: response.status, data: body.data ?? [] }
}

const at = '2026-11-20T10:00:00.000Z'

test('tasks, balances, grants and debits are listed as the gateway has them, in pages of ids', async () => {
  await sql`
    insert into account (id, name, available, starter, owed, balance_version, starter_version, created_at)
    values ('a1', 'A', 55, 3, 1, 7, null, ${at})`
  for (const [id, phase, billing] of [
    ['vt_1', 'completed', 'settled'],
    ['vt_2', 'admitting', null],
  ] as const)
    await sql`
      insert into task (id, account_id, key_id, surface, idempotency_key, fingerprint, model, mode, resolution, billed_seconds, price_version,
                        phase, billing_status, credits_used, credits_refunded, created_at, updated_at, admit_by)
      values (${id}, 'a1', 'k1', 'api', ${id}, '', 'm', 'text-to-video', '768p', 5, 'p1', ${phase}, ${billing}, 30, 5, ${at}, ${at}, ${at})`
  const task = { account_id: 'a1', credits_used: 30, credits_refunded: 5, deleted: false, changed_at: at }
  const [first, second] = [
    { ...task, task_id: 'vt_1', phase: 'completed', billing_status: 'settled' },
    { ...task, task_id: 'vt_2', phase: 'admitting', billing_status: null },
  ]
  expect(await list('tasks')).toEqual({ status: 200, data: [first, second] })
  expect((await list('tasks?limit=1')).data).toEqual([first])
  expect((await list('tasks?after=vt_1&through=vt_2')).data).toEqual([second])
  expect((await list('tasks?id=vt_1')).data).toEqual([first])
  await sql`update task set deleted_at = now() where id = 'vt_1'`
  expect((await list('tasks?id=vt_1')).data).toEqual([{ ...first, deleted: true }])

  expect((await list('balances')).data).toEqual([
    { account_id: 'a1', available: 55, starter: 3, owed: 1, balance_version: 7, starter_version: null, changed_at: at },
  ])

  const later = '2026-11-20T10:00:05.000Z'
  await sql`
    insert into credit_change (id, account_id, kind, balance, credits, reason, operator, asked_at, state, refusal, decided_at)
    values ('c1', 'a1', 'grant', 'paid', 500, 'r', 'o', ${at}, 'applied', null, ${later}), ('c2', 'a1', 'debit', 'paid', 9, 'r', 'o', ${later}, 'pending', null, null)`
  const change = { account_id: 'a1', balance: 'paid', changed_at: later }
  const [granted, pending] = [
    { ...change, id: 'c1', kind: 'grant', credits: 500, state: 'applied', created_at: at },
    { ...change, id: 'c2', kind: 'debit', credits: 9, state: 'pending', created_at: later },
  ]
  expect((await list('credit-changes')).data).toEqual([granted, pending])
  expect((await list(`credit-changes?since=${later}`)).data).toEqual([pending])
  expect((await list('tasks?since=2026-11-20T10:00:00Z')).status).toBe(400)
})
