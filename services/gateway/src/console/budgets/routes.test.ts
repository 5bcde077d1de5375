import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { periodsAt } from '@filmgate/kit/calendar/period'
import { BudgetPeriod, DeclineReason } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { BudgetScope } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import type { PipelineEvent } from '../../projection/pipeline-event'
import { project } from '../../projection/project'
import { changeOf } from '../../projection/task-change'
import { consoleApi, newAccountId } from '../testing/console-api'

const start = new Date('2026-10-31T22:59:00.000Z')
let now = start
let api: Awaited<ReturnType<typeof consoleApi>>
beforeAll(async () => {
  api = await consoleApi({ now: () => now })
})
afterAll(() => api.close())
afterEach(() => {
  now = start
})

async function accountWithKey() {
  const id = await api.open()
  const { key_id: key } = (await api.ask('POST', `/accounts/${id}/keys`, { body: { name: 'mine' } })).body
  return { id, key: String(key), path: `/accounts/${id}/budgets` }
}

const spent = (accountId: string, subjectId: string, terms: { version: number; balance: number; total: number; daySpent: number }) => ({
  case: 'budgetSpent' as const,
  value: {
    ...{ accountId, subjectId, scope: BudgetScope.KEY, version: BigInt(terms.version), balanceVersion: BigInt(terms.balance), crossed: [] },
    ...{ totalSpent: BigInt(terms.total), day: '2026-10-31', daySpent: BigInt(terms.daySpent), month: '2026-10', monthSpent: 9n },
  },
})
const merge = (...events: object[]) =>
  project(
    { sql: api.sql, wake: () => {} },
    events.map((event, nth) => ({
      ...{ topic: 't', partition: 0, offset: String(nth), key: '', eventId: crypto.randomUUID(), traceparent: undefined, timestampMs: 0 },
      event: event as PipelineEvent,
    })),
  )

test('caps are kept with who set them, sent to the ledger under a version that grows, and cleared', async () => {
  const { id, key, path } = await accountWithKey()
  const set = await api.ask('PUT', `${path}/key/${key}`, { body: { day: 10, total: 500 }, operator: 'Åda' })
  const cap = { spent_credits: 0 }
  expect([set.status, set.body]).toEqual([
    200,
    {
      time_zone: 'UTC',
      data: [
        {
          ...{ budget: 'key', id: key, applied: false, set_by: 'Åda', set_at: start.toISOString() },
          caps: [
            { ...cap, period: 'total', max_credits: 500, left_credits: 500, resets_at: null },
            { ...cap, period: 'day', max_credits: 10, left_credits: 10, resets_at: '2026-11-01T00:00:00.000Z' },
          ],
        },
      ],
    },
  ])
  await api.ask('PUT', `${path}/account/${id}`, { body: { month: 1_000, time_zone: 'Europe/Berlin' } })
  expect((await api.ask('DELETE', `${path}/key/${key}`)).body).toMatchObject({
    time_zone: 'Europe/Berlin',
    data: [{ budget: 'account', caps: [{ period: 'month', resets_at: '2026-10-31T23:00:00.000Z' }] }],
  })
  const sent = api.sent(id).flatMap(event => (event.case === 'budgetSet' ? [event.value] : []))
  expect(
    sent.map(({ scope, subjectId, totalMax, dayMax, monthMax, timeZone, version }) => [
      ...[BudgetScope[scope], subjectId, totalMax, dayMax, monthMax, timeZone, version],
    ]),
  ).toEqual([
    ['KEY', key, 500n, 10n, undefined, 'UTC', 1n],
    ['ACCOUNT', id, undefined, undefined, 1_000n, 'Europe/Berlin', 2n],
    ['KEY', key, undefined, undefined, undefined, 'Europe/Berlin', 3n],
  ])
  const acts = await api.sql`select act, subject, operator from operator_act where account_id = ${id} and act like 'budget%' order by id`
  expect([...acts]).toEqual([
    { act: 'budget_set', subject: key, operator: 'Åda' },
    { act: 'budget_set', subject: id, operator: 'ada@example.com' },
    { act: 'budget_cleared', subject: key, operator: 'ada@example.com' },
  ])
})

test('what the ledger tells of spend is shown: the newest in whatever order it comes, and nothing of a period that is over', async () => {
  const { id, key, path } = await accountWithKey()
  await api.ask('PUT', `${path}/key/${key}`, { body: { day: 10, total: 500 } })
  await merge(
    spent(id, key, { version: 1, balance: 5, total: 40, daySpent: 9 }),
    spent(id, key, { version: 1, balance: 4, total: 31, daySpent: 0 }),
  )
  await merge(spent(id, key, { version: 1, balance: 3, total: 30, daySpent: 0 }))
  const shown = async () => ((await api.ask('GET', path)).body.data as { applied: boolean; caps: object[] }[])[0]
  expect(await shown()).toMatchObject({
    applied: true,
    caps: [
      { spent_credits: 40, left_credits: 460 },
      { spent_credits: 9, left_credits: 1 },
    ],
  })
  now = new Date('2026-11-01T00:00:00.000Z')
  expect((await shown())?.caps).toMatchObject([{ spent_credits: 40 }, { spent_credits: 0, left_credits: 10 }])
  await api.ask('PUT', `${path}/key/${key}`, { body: { total: 20 } })
  expect(await shown()).toMatchObject({ applied: false, caps: [{ period: 'total', spent_credits: 40, left_credits: 0 }] })
})

test('the key and the account of another are nobody’s, and nothing is set', async () => {
  const [mine, other] = [await accountWithKey(), await accountWithKey()]
  const unknown = await api.ask('PUT', `${mine.path}/key/${'0'.repeat(12)}`, { body: { total: 1 } })
  const foreign = await api.ask('PUT', `${mine.path}/key/${other.key}`, { body: { total: 1 } })
  expect([unknown.status, unknown.text]).toEqual([404, foreign.text])
  const strange = await api.ask('DELETE', `${mine.path}/account/${other.id}`)
  const nobody = await api.ask('DELETE', `${mine.path}/account/${newAccountId()}`)
  expect([strange.status, strange.text]).toEqual([404, nobody.text])
  expect((await api.ask('GET', `/accounts/${newAccountId()}/budgets`)).status).toBe(404)
  expect((await api.ask('GET', other.path)).body.data).toEqual([])
  expect(api.sent(mine.id).filter(event => event.case === 'budgetSet')).toEqual([])
})

test.each([
  [{ total: -1 }, 'total'],
  [{ total: 1.5 }, 'total'],
  [{ day: '10' }, 'day'],
  [{ month: 1e15 }, 'month'],
  [{ week: 1 }, 'week'],
  [{ time_zone: 'Nowhere/Here' }, 'time_zone'],
  [{ time_zone: '+05:00' }, 'time_zone'],
  [{ time_zone: 'Europe/Berlin\0' }, 'time_zone'],
])('%j is refused by its field', async (body, path) => {
  const { id } = await accountWithKey()
  const answer = await api.ask('PUT', `/accounts/${id}/budgets/account/${id}`, { body })
  expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'invalid_request', details: { issues: [{ path }] } } }])
})

test('a scope that is none is refused, and a closed account takes no budget', async () => {
  const { id, path } = await accountWithKey()
  expect((await api.ask('PUT', `${path}/team/x`, { body: { total: 1 } })).status).toBe(400)
  expect((await api.ask('PUT', `${path}/member/a%20b`, { body: { total: 1 } })).status).toBe(400)
  await api.ask('DELETE', `/accounts/${id}`)
  expect((await api.ask('PUT', `${path}/account/${id}`, { body: { total: 1 } })).body).toMatchObject({ error: { code: 'account_closed' } })
})

test('a refusal by a budget becomes its code and details', () => {
  const { day, dayEndsAtMs } = periodsAt(start.getTime(), 'UTC')
  const exceeded = {
    scope: BudgetScope.MEMBER,
    period: BudgetPeriod.DAY,
    left: 3n,
    resetsAt: { seconds: BigInt(dayEndsAtMs / 1_000), nanos: 0 },
  }
  const value = {
    taskId: 'vt_1',
    accountId: 'a',
    reason: DeclineReason.BUDGET_EXCEEDED,
    required: 7n,
    available: 90n,
    unfinished: [],
    exceeded,
  }
  const change = changeOf({ case: 'creditsDeclined', value } as never, start)
  expect([day, change?.phase, change?.freesKey, change?.errorCode, JSON.parse(change?.errorDetails ?? '')]).toEqual([
    ...['2026-10-31', 'declined', true, 'budget_exceeded'],
    { budget: 'member', period: 'day', required_credits: 7, left_credits: 3, resets_at: '2026-11-01T00:00:00.000Z' },
  ])
})
