import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { RequestRow } from '@filmgate/proto/operator/account'
import type { RequestCountView } from '../gateway/gateway'
import { openConsole, type TestConsole } from '../testing/open-console'
import { readers, whoMay } from '../testing/who-may'
import { requests } from './routes'

let site: TestConsole
beforeAll(async () => {
  site = await openConsole(requests)
})
afterAll(() => site.close())

const refused: RequestRow = {
  ...{ account_id: 'a', key_id: 'k1', created_at: '2026-11-20T10:00:00.000Z', method: 'POST', path: '/api/v1/video/generations' },
  ...{ status: 402, code: 'insufficient_credits', duration_ms: 12, request_id: 'ab'.repeat(16), task_id: null },
  refusal: { error: { code: 'insufficient_credits', message: 'Buy <b>more</b>.' } },
}
const made: RequestRow = { ...refused, status: 202, code: null, duration_ms: 3_210, task_id: 'vt_1', refusal: null, key_id: 'gone' }
const today = new Date().toISOString().slice(0, 10)
const count = (status: number, requests: number, route = '/api/v1/tasks/:id'): RequestCountView => ({
  ...{ day: today, method: 'GET', route, status, requests },
})

async function accountWith(data: RequestRow[], counts: RequestCountView[] = [], next: string | null = null) {
  const account = await site.newAccount()
  const path = `/accounts/${account.id}`
  site.gateway.on(`GET ${path}/keys`, { data: [{ key_id: 'k1', name: 'Website <b>' }] })
  site.gateway.on(`GET ${path}/requests/counts`, { data: counts })
  site.gateway.on(`GET ${path}/requests`, { data, next_cursor: next })
  const asked = (of: string) => Object.fromEntries(new URLSearchParams(site.gateway.seen.findLast(seen => seen.path === of)?.search))
  return {
    ...account,
    look: async (query = '') => (await site.ask(account.viewer, `${account.path}/requests${query}`)).text,
    asked: () => asked(`${path}/requests`),
    askedCounts: () => asked(`${path}/requests/counts`),
  }
}

test('who may see the requests', async () => {
  expect(await whoMay(site, await accountWith([]), '/requests')).toEqual(readers())
})

test('a refusal has its code, body and request ID, an accepted one leads to its task; what clients sent is text', async () => {
  const account = await accountWith([refused, made])
  const text = await account.look()
  for (const words of [
    ...['POST /api/v1/video/generations', 'insufficient_credits', 'Buy &lt;b&gt;more&lt;/b&gt;.', 'ab'.repeat(16), 'Website &lt;b&gt;'],
    ...['12 ms', '3.2 s', `${account.path}/tasks/vt_1`, '>gone<'],
  ])
    expect(text).toContain(words)
})

test('requests are counted by day and route, apart by what came of them', async () => {
  const account = await accountWith([], [count(200, 1_000), count(404, 30), count(429, 200), count(503, 4), count(404, 1, '/*')])
  const text = await account.look()
  expect([...text.matchAll(/<p class="figure">([\d,]+)</g)].map(([, figure]) => figure)).toEqual(['1,235', '31', '200', '4'])
  expect(text).toContain('Requests: 1,235 requests in 30 days')
  expect(text).toContain('GET unknown paths')
})

test('the filter is passed on, with days in UTC, and kept for older pages', async () => {
  const account = await accountWith([refused], [], 'older')
  const id = 'CD'.repeat(16)
  const query = `?result=refused&code=rate_limited&key=k1&request=${id}&from=${today}&to=${today}`
  const text = await account.look(`${query}&cursor=c`)
  const [from, to] = [`${today}T00:00:00.000Z`, new Date(Date.parse(today) + 86_400_000).toISOString()]
  expect(account.asked()).toEqual({ result: 'refused', code: 'rate_limited', key_id: 'k1', request: id, from, to, cursor: 'c' })
  expect(account.askedCounts()).toEqual({ key_id: 'k1', from, to })
  expect(text).toContain(`result=refused&amp;code=rate_limited&amp;key=k1&amp;from=${today}&amp;to=${today}&amp;cursor=older`)
})

test('no more days are asked for than are kept; an unknown result is none', async () => {
  const account = await accountWith([])
  await account.look('?result=odd')
  expect(account.asked()).toEqual({})
  await account.look('?from=2020-01-01')
  const { from, to } = account.askedCounts()
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(30 * 86_400_000)
})

test.each([
  ['?request=12', 'A request ID has 32 digits and letters'],
  ['?from=yesterday', 'Enter dates'],
  ['?from=2026-11-02&to=2026-11-01', 'The first day is after the last'],
  ['?to=2020-01-01', 'kept for 30 days'],
  ['?code=%00', 'Your programs have not changed anything yet.'],
])('%p says what is wrong, and shows all', async (query, words) => {
  const account = await accountWith([])
  expect(await account.look(query)).toContain(words)
  expect(account.asked()).toEqual({})
})

test('an empty list says whether nothing matches, older ones are left to search, or nothing was sent', async () => {
  expect(await (await accountWith([])).look()).toContain('have not changed anything yet')
  expect(await (await accountWith([])).look('?code=x')).toContain('No request matches.')
  expect(await (await accountWith([], [], 'older')).look('?code=x')).toContain('not searched yet')
})
