import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { StripeApi } from '../billing/stripe/stripe-api'
import type { TaskView, UsageSumView } from '../gateway/gateway'
import { refusal } from '../testing/fake-gateway'
import { openConsole, type TestConsole } from '../testing/open-console'
import { readers, whoMay } from '../testing/who-may'
import { overview } from './routes'

let site: TestConsole
let stripe: StripeApi | undefined
beforeAll(async () => {
  site = await openConsole(deps =>
    overview({
      ...deps,
      get stripe() {
        return stripe
      },
    }),
  )
})
afterAll(() => site.close())

const task: TaskView = {
  id: 'task-1',
  status: 'processing',
  model: 'alpha-h3',
  mode: 'text_to_video',
  credits_used: 100,
  credits_refunded: 0,
  output: null,
  error: null,
  created_at: '2026-11-23T10:00:00.000Z',
  updated_at: '2026-11-23T10:00:00.000Z',
  surface: 'web',
  prompt: '<script>alert(1)</script>',
  progress: 0.5,
  phase: 'copying',
  poster_url: null,
  resolution: '768p',
  duration_seconds: 5,
}
const sum = (day: string, credits_net: number): UsageSumView => ({
  day,
  model: 'alpha-h3',
  generations: 1,
  refunds: 0,
  billed_seconds: 5,
  credits_used: credits_net,
  credits_refunded: 0,
  credits_net,
})

async function accountWith({ tasks = [task], keys = 0, more = {}, sums = [] as UsageSumView[] } = {}) {
  const account = await site.newAccount()
  const path = `/accounts/${account.id}`
  const view = { account_id: account.id, name: 'Studio', available_credits: 1_200, starter_credits: 300, unfinished: 1, unfinished_max: 20 }
  site.gateway.on(`GET ${path}`, { ...view, created_at: '2026-11-01T00:00:00Z', ...more })
  site.gateway.on(`GET ${path}/tasks`, { data: tasks, next_cursor: null })
  site.gateway.on(`GET ${path}/keys`, { data: Array.from({ length: keys }, () => ({})) })
  site.gateway.on(`GET ${path}/usage/summary`, { data: sums })
  return account
}

test('who may see the overview and the part of it that moves', async () => {
  const account = await accountWith()
  expect(await whoMay(site, account, '')).toEqual(readers())
  expect(await whoMay(site, account, '/live')).toEqual(readers())
})

test('balances, what is running and the latest tasks are shown, and what a person wrote stays text', async () => {
  const account = await accountWith()
  for (const path of [account.path, `${account.path}/live`]) {
    const { text } = await site.ask(account.viewer, path)
    for (const note of ['1,200', 'of at most 20 at once', 'alpha-h3', `${account.path}/tasks/task-1`, '&lt;script&gt;'])
      expect(text).toContain(note)
    expect(text).toContain('<progress max="1" value="0.5"')
    expect(text).not.toContain('<script>alert')
    expect(text).not.toContain('Owed')
  }
})

test('owed credits are shown where there are any', async () => {
  const account = await accountWith({ more: { owed_credits: 40 } })
  expect((await site.ask(account.owner, account.path)).text).toContain('Owed')
})

test('the days of the chart are those the gateway was asked for, the last one today', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const account = await accountWith({ sums: [sum(today, 60), sum(today, 40)] })
  const { text } = await site.ask(account.owner, account.path)
  expect(text).toContain('Credits spent: 100 credits in 31 days')
  expect(text).toContain(' so far: 100 credits. At the pace of the last seven days: about 100 credits by its end')
  const readInput = site.gateway.seen.findLast(({ path }) => path === `/accounts/${account.id}/usage/summary`)
  const query = new URLSearchParams(readInput?.search)
  const [from, to] = [Date.parse(query.get('from') ?? ''), Date.parse(query.get('to') ?? '')]
  expect([(to - from) / 86_400_000, new Date(to - 1).toISOString().slice(0, 10)]).toEqual([31, today])
})

test('first steps are shown to who may make them, until they are made', async () => {
  const steps = async (visitor: { id: string }, account: { path: string }) =>
    (await site.ask(visitor, account.path)).text.includes('First steps')
  const fresh = await accountWith({ tasks: [] })
  expect([await steps(fresh.owner, fresh), await steps(fresh.member, fresh), await steps(fresh.viewer, fresh)]).toEqual([true, true, false])
  const settled = await accountWith({ keys: 1 })
  expect(await steps(settled.owner, settled)).toBe(false)
})

test('buying credits is a first step only where they are sold', async () => {
  const fresh = await accountWith({ tasks: [] })
  const hasStep = async () => (await site.ask(fresh.owner, fresh.path)).text.includes('Buy credits')
  const without = await hasStep()
  stripe = {} as StripeApi
  const withStripe = await hasStep()
  stripe = undefined
  expect([without, withStripe]).toEqual([false, true])
})

test('an account that the gateway does not know yet is said to be being opened', async () => {
  const account = await site.newAccount()
  const { status, text } = await site.ask(account.owner, account.path)
  expect([status, text.includes('is being opened')]).toEqual([200, true])
  expect((await site.ask(account.owner, `${account.path}/live`)).status).toBe(204)
})

test('while the gateway is away the page says so', async () => {
  const account = await accountWith()
  site.gateway.on(`GET /accounts/${account.id}/tasks`, () => refusal(503, 'service_unavailable'))
  expect((await site.ask(account.owner, account.path)).status).toBe(503)
})

test('/ leads to the person’s first account, or to the list where there is none', async () => {
  const account = await accountWith()
  expect((await site.ask(account.member, '/')).location).toBe(account.path)
  expect((await site.ask(account.stranger, '/')).location).toBe('/accounts')
})
