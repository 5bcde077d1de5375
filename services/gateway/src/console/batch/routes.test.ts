import { afterAll, beforeAll, expect, test } from 'bun:test'
import { consoleApi } from '../testing/console-api'

let api: Awaited<ReturnType<typeof consoleApi>>
beforeAll(async () => {
  api = await consoleApi()
})
afterAll(() => api.close())

/** A task that is done, or one that was declined before credits were held. */
async function insertTask(accountId: string, declined = false): Promise<string> {
  const id = `vt_${crypto.randomUUID().replaceAll('-', '')}`
  const [phase, billing] = declined ? ['declined', null] : ['completed', 'settled']
  await api.sql`
    insert into task (id, account_id, key_id, surface, idempotency_key, fingerprint, prompt, model, mode, resolution, billed_seconds, price_version, phase,
                      phase_rank, billing_status, billing_rank, created_at, updated_at, admit_by)
    values (${id}, ${accountId}, ${accountId}, 'web', ${id}, '', 'a cat', 'm', 't', '768p', 5, 'p', ${phase}, 4, ${billing}, 4, now(), now(), now())`
  return id
}

const states = (tasks: { account_id: string; task_id: string }[]) => api.ask('POST', '/tasks/states', { body: { tasks } })

test('tasks of many accounts are told at once, each only beside its own account', async () => {
  const [one, other] = [await api.open(), await api.open()]
  const [ofOne, ofOther, declined] = [await insertTask(one), await insertTask(other), await insertTask(one, true)]
  const { status, body } = await states([
    { account_id: one, task_id: ofOne },
    { account_id: other, task_id: ofOther },
    { account_id: one, task_id: ofOther },
    { account_id: one, task_id: declined },
    { account_id: one, task_id: 'vt_nobody' },
  ])
  expect(status).toBe(200)
  const told = (body.data as { id: string; account_id: string; status: string }[]).map(task => [task.account_id, task.id, task.status])
  expect(told.sort()).toEqual([[one, ofOne, 'completed'] as string[], [other, ofOther, 'completed']].sort())
})

test('balances of many accounts are told at once; of a closed or unknown one nothing', async () => {
  const [one, closed] = [await api.open(), await api.open()]
  await api.sql`update account set available = 70, starter = 5 where id = ${one}`
  await api.sql`update account set closed_at = now() where id = ${closed}`
  expect(await api.ask('POST', '/balances', { body: { account_ids: [one, closed, 'nobody'] } })).toMatchObject({
    status: 200,
    body: { data: [{ account_id: one, available_credits: 70, starter_credits: 5 }] },
  })
})

test('more than a body holds, nothing, and another token are refused', async () => {
  const many = Array.from({ length: 501 }, (_, index) => `a${index}`)
  expect((await api.ask('POST', '/balances', { body: { account_ids: many } })).status).toBe(400)
  expect((await states([])).status).toBe(400)
  expect((await states(many.slice(0, 201).map(id => ({ account_id: id, task_id: id })))).status).toBe(400)
  expect((await api.ask('POST', '/balances', { body: { account_ids: ['a'] }, token: 'another-token-of-24-characters' })).status).toBe(401)
})
