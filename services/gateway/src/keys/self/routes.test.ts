import { afterAll, beforeAll, expect, test } from 'bun:test'
import { renderError } from '@filmgate/kit/http/render-error'
import { testLog } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { consoleApi } from '../../console/testing/console-api'
import { reasons } from '../../errors'
import { keySelf } from './routes'

let now = new Date('2026-10-31T12:00:00.000Z')
let api: Awaited<ReturnType<typeof consoleApi>>
beforeAll(async () => {
  api = await consoleApi({ now: () => now })
})
afterAll(() => api.close())

const taken = { taken: true, left: 1, waitMs: 0 }
/** The budgets that a key of the account reads. */
async function budgetsAt(accountId: string, keyId: string) {
  const app = new Elysia({ normalize: false }).use(renderError(testLog, reasons)).use(
    keySelf({
      ...{ sql: api.sql, unfinishedTasksMax: 3, now: () => now, rateLimit: 30, addressRateLimit: 120 },
      ...{ takeToken: async () => taken, takeAddressToken: () => taken, giveAddressTokenBack: () => {}, clientAddress: () => '192.0.2.1' },
      findCaller: async () => ({ accountId, keyId }),
    }),
  )
  const answer = await app.handle(new Request('http://gateway/keys/self', { headers: { authorization: 'Bearer sk_live_x' } }))
  return ((await answer.json()) as { budgets: object[] }).budgets
}

async function accountWithKeys() {
  const id = await api.open()
  const newKey = async () => String((await api.ask('POST', `/accounts/${id}/keys`, { body: { name: 'mine' } })).body.key_id)
  return { id, key: await newKey(), other: await newKey() }
}
const set = (id: string, subject: string, body: object) => api.ask('PUT', `/accounts/${id}/budgets/${subject}`, { body })

test('a key reads its own caps and its account’s with what is left, and nothing of other keys, members and accounts', async () => {
  const [{ id, key, other }, stranger] = [await accountWithKeys(), await accountWithKeys()]
  expect(await budgetsAt(id, key)).toEqual([])
  await set(id, `key/${other}`, { total: 1 })
  await set(id, 'member/ada', { total: 1 })
  await set(stranger.id, `account/${stranger.id}`, { total: 1 })
  await set(id, `key/${key}`, { total: 500, day: 10 })
  await set(id, `account/${id}`, { month: 90, time_zone: 'Europe/Berlin' })
  const spend = { total_spent: 40, day: '2026-10-31', day_spent: 9, month: '2026-10', month_spent: 100 }
  await api.sql`update budget set ${api.sql(spend)} where account_id = ${id} and subject_id in (${key}, ${id})`
  const cap = (budget: string, period: string, max_credits: number, spent_credits: number, resets_at: string | null) => {
    return { budget, period, max_credits, spent_credits, left_credits: Math.max(0, max_credits - spent_credits), resets_at }
  }
  expect(await budgetsAt(id, key)).toEqual([
    cap('key', 'total', 500, 40, null),
    cap('key', 'day', 10, 9, '2026-10-31T23:00:00.000Z'),
    cap('account', 'month', 90, 100, '2026-10-31T23:00:00.000Z'),
  ])
  now = new Date('2026-10-31T23:00:00.000Z')
  expect(await budgetsAt(id, key)).toEqual([
    cap('key', 'total', 500, 40, null),
    cap('key', 'day', 10, 0, '2026-11-01T23:00:00.000Z'),
    cap('account', 'month', 90, 0, '2026-11-30T23:00:00.000Z'),
  ])
  expect(await budgetsAt(id, other)).toMatchObject([{ budget: 'key', max_credits: 1 }, { budget: 'account' }])
  await api.ask('DELETE', `/accounts/${id}/budgets/key/${key}`)
  expect(await budgetsAt(id, key)).toMatchObject([{ budget: 'account' }])
})
