import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { renderError } from '@filmgate/kit/http/render-error'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import { createOutbox } from '@filmgate/kit/outbox/outbox'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { testOperators } from '@filmgate/kit/testing/test-operators'
import { Elysia } from 'elysia'
import { reasons } from '../errors'
import { budgetRoutes } from './operator-routes'

const operators = testOperators({ supporter: { name: 'sam', role: 'support' }, payer: { name: 'mona', role: 'money' } })

async function gateway() {
  const database = await testDatabase(join(import.meta.dir, '../../migrations'))
  const { sql } = database
  const outbox = createOutbox({ sql, bus: { publish: async () => {} }, log: testLog })
  const app = new Elysia({ prefix: '/operator', normalize: false })
    .use(renderError(testLog, reasons))
    .use(operatorAuth(operators))
    .use(budgetRoutes({ sql, outbox, topicPrefix: 'test', now: () => new Date() }))
  await sql`insert into account (id, name) values ('acct_1', 'Ada')`
  return {
    sql,
    async call(method: string, path: string, { body, bearer = 'payer' }: { body?: object; bearer?: string } = {}) {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
      const answer = await app.handle(
        new Request(`http://gateway/operator${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
      )
      return [answer.status, await answer.json()]
    },
    async close() {
      await outbox.stop()
      await database.drop()
    },
  }
}

let under: Awaited<ReturnType<typeof gateway>>
beforeAll(async () => {
  under = await gateway()
})
afterAll(() => under?.close())

const path = '/accounts/acct_1/budgets'

test('budgets are set, listed and cleared by an operator of money, whose name is kept', async () => {
  const set = await under.call('PUT', `${path}/member/person_1`, { body: { month: 100, time_zone: 'Asia/Tokyo' } })
  const row = { budget: 'member', id: 'person_1', set_by: 'mona', applied: false, caps: [{ period: 'month', max_credits: 100 }] }
  expect(set).toMatchObject([200, { time_zone: 'Asia/Tokyo', data: [row] }])
  expect(await under.call('GET', path, { bearer: 'supporter' })).toEqual(set)
  expect(await under.call('DELETE', `${path}/member/person_1`)).toEqual([200, { time_zone: 'Asia/Tokyo', data: [] }])
  const acts = await under.sql`select operator, act, subject from operator_act where account_id = 'acct_1' order by id`
  expect([...acts]).toEqual([
    { operator: 'mona', act: 'budget_set', subject: 'person_1' },
    { operator: 'mona', act: 'budget_cleared', subject: 'person_1' },
  ])
})

test.each([
  ['a lower role', 'PUT', `${path}/account/acct_1`, 'supporter', 403, 'operator_role_insufficient'],
  ['no token', 'GET', path, 'wrong', 401, 'operator_token_required'],
  ['an unknown account', 'GET', '/accounts/acct_2/budgets', 'payer', 404, 'account_not_found'],
  ['an unknown account to set', 'PUT', '/accounts/acct_2/budgets/account/acct_2', 'payer', 404, 'account_not_found'],
  ['an unknown key', 'PUT', `${path}/key/k`, 'payer', 404, 'key_not_found'],
  ['another scope', 'DELETE', `${path}/team/k`, 'payer', 400, 'invalid_request'],
])('%s is refused', async (_, method, at, bearer, status, code) => {
  const body = method === 'PUT' ? { total: 1 } : undefined
  expect(await under.call(method, at, { bearer, ...(body && { body }) })).toMatchObject([status, { error: { code } }])
})
