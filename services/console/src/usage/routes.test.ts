import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { UsageRecordView, UsageSumView } from '../gateway/gateway'
import { refusal } from '../testing/fake-gateway'
import { openConsole, type TestConsole } from '../testing/open-console'
import { readers, whoMay } from '../testing/who-may'
import { usage } from './routes'

let site: TestConsole
beforeAll(async () => {
  site = await openConsole(usage)
})
afterAll(() => site.close())

const record: UsageRecordView = {
  created_at: '2026-11-20T10:00:00.000Z',
  task_id: 'task-1',
  change_id: null,
  kind: 'reservation',
  model: 'alpha-h3',
  resolution: '768p',
  billed_seconds: 5,
  credits: -100,
  balance_after: 940,
  surface: 'web',
  paid_credits: -60,
  starter_credits: -40,
  key_id: 'k1',
  tags: { project: '<i>' },
}
const sum = (day: string, model: string, net: number): UsageSumView => ({
  day,
  model,
  generations: 1,
  refunds: 0,
  billed_seconds: 5,
  credits_used: net,
  credits_refunded: 0,
  credits_net: net,
  starter_credits_net: 10,
})

async function accountWith(sums: UsageSumView[] = []) {
  const account = await site.newAccount()
  const path = `/accounts/${account.id}/usage`
  site.gateway.on(`GET /accounts/${account.id}/keys`, { data: [{ key_id: 'k1', name: 'Website <b>' }] })
  site.gateway.on(`GET ${path}/summary`, { data: sums })
  site.gateway.on(`GET ${path}`, { data: [record], next_cursor: 'next page' })
  const asked = (of: string) => new URLSearchParams(site.gateway.seen.findLast(seen => seen.path === of)?.search)
  return { ...account, asked: () => asked(path), askedSums: () => asked(`${path}/summary`) }
}

test('who may see the usage and take it as CSV', async () => {
  const account = await accountWith()
  expect(await whoMay(site, account, '/usage')).toEqual(readers())
  expect(await whoMay(site, account, '/usage.csv')).toEqual(readers())
  expect(await whoMay(site, account, '/usage/split.csv')).toEqual(readers())
})

test('the eleventh CSV of an hour is refused, and asks nothing of the gateway', async () => {
  const account = await accountWith()
  const take = async () => (await site.ask(account.viewer, `${account.path}/usage.csv`)).status
  const statuses: number[] = []
  for (let count = 0; count < 10; count++) statuses.push(await take())
  const asked = site.gateway.seen.length
  expect([...statuses, await take(), site.gateway.seen.length]).toEqual([...Array<number>(10).fill(200), 429, asked])
})

test('a movement shows its surface and what was paid of which balance', async () => {
  const account = await accountWith()
  const { text } = await site.ask(account.viewer, `${account.path}/usage`)
  for (const words of ['Console', '−60', '−40', '940', '768p', `${account.path}/tasks/task-1`]) expect(text).toContain(words)
  expect(text).toContain('cursor=next+page')
})

test('days and model are asked of the gateway, the last day whole', async () => {
  const account = await accountWith([sum('2026-11-02', 'alpha-h3', 30), sum('2026-11-02', 'beta-2.0', 70)])
  const { text } = await site.ask(account.owner, `${account.path}/usage?from=2026-11-01&to=2026-11-03&model=alpha-h3&cursor=c1`)
  expect(Object.fromEntries(account.asked())).toEqual({
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-04T00:00:00.000Z',
    model: 'alpha-h3',
    cursor: 'c1',
  })
  expect(account.askedSums().has('model')).toBe(false)
  expect(text).toContain('Credits spent: 30 credits in 3 days')
  expect(text).toContain('<p class="figure">20</p><p class="soft">spent or held; 10 of starter credits</p>')
  expect(text).toContain('<option selected>alpha-h3</option>')
  expect(text).toContain('<option>beta-2.0</option>')
})

test('key and tag are asked of the gateway for records, sums and CSV; a record shows its key and tags as text', async () => {
  const account = await accountWith([sum('2026-11-02', 'alpha-h3', 30)])
  const query = `key=k1&tag=${encodeURIComponent('project=a, b')}&from=2026-11-01&to=2026-11-03`
  const { text } = await site.ask(account.owner, `${account.path}/usage?${query}`)
  for (const asked of [account.asked(), account.askedSums()])
    expect([asked.get('key_id'), asked.get('tag')]).toEqual(['k1', 'project=a, b'])
  for (const part of [
    '<option value="k1" selected>Website &lt;b&gt;</option>',
    'value="project=a, b"',
    'project: &lt;i&gt;',
    'key=k1&amp;tag=',
  ])
    expect(text).toContain(part)
  await site.ask(account.owner, `${account.path}/usage.csv?${query}`)
  expect(account.asked().get('tag')).toBe('project=a, b')
  const wrong = await site.ask(account.owner, `${account.path}/usage?tag=project`)
  expect([wrong.status, wrong.text.includes('Enter a tag such as project=spring.'), account.asked().has('tag')]).toEqual([200, true, false])
})

test('spending is split by what is chosen: most first, each group leading to its own usage, the filter kept', async () => {
  const account = await accountWith()
  const { day: _, model: __, ...figures } = sum('2026-11-02', 'alpha-h3', 30)
  const groups: Record<string, object[]> = {
    model: [sum('2026-11-01', 'alpha-h3', 10), sum('2026-11-02', 'alpha-h3', 20)],
    key: [
      { ...figures, key_id: null },
      { ...figures, key_id: 'k1', credits_net: 70, credits_held: 20 },
      { ...figures, key_id: 'gone' },
    ],
    'tag:project': [
      { ...figures, tag: 'project=a=<b>' },
      { ...figures, tag: null },
    ],
  }
  site.gateway.on(`GET /accounts/${account.id}/usage/summary`, ({ search }: { search: string }) => {
    return { data: groups[new URLSearchParams(search).get('by') ?? 'model'] ?? [] }
  })
  const rowsOf = async (query: string) => {
    const { text } = await site.ask(account.owner, `${account.path}/usage?from=2026-11-01&to=2026-11-03&${query}`)
    const [, part = ''] = text.split('<caption class="hidden">Credits by ')
    const [rows = ''] = part.split('</table>')
    return [...rows.matchAll(/rowheader" scope="row">(.*?)<\/th>.*?<div>([^<]*)</gs)].map(([, name, spent]) => `${name} ${spent}`)
  }
  const link = (query: string, name: string) => `<a href="${account.path}/usage?from=2026-11-01&amp;to=2026-11-03&amp;${query}">${name}</a>`
  expect(await rowsOf('')).toEqual([`${link('model=alpha-h3&amp;by=model', 'alpha-h3')} 30`])
  expect(await rowsOf('by=key')).toEqual([
    `${link('key=k1&amp;by=key', 'Website &lt;b&gt;')} 50`,
    'the console 30',
    `${link('key=gone&amp;by=key', 'gone')} 30`,
  ])
  const tagged = await rowsOf('by=tag:project&model=alpha-h3')
  expect(tagged[0]).toContain('model=alpha-h3&amp;tag=project%3Da%3D%3Cb%3E&amp;by=tag%3Aproject">a=&lt;b&gt;</a> 30')
  expect(tagged[1]).toBe('no tag project 30')
  const csv = await site.ask(account.owner, `${account.path}/usage/split.csv?from=2026-11-01&to=2026-11-03&by=key`)
  expect(csv.text).toBe(
    'API key,spent,held,refunded,generations,seconds\r\nWebsite <b>,50,20,0,1,5\r\nthe console,30,0,0,1,5\r\ngone,30,0,0,1,5\r\n',
  )
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="filmgate-usage-by-key-2026-11-01-2026-11-03.csv"')
  // The tags of the newest records can be chosen. Any other value is a split by model.
  const { text } = await site.ask(account.owner, `${account.path}/usage?by=<script>`)
  expect(text).toContain('<option value="tag:project">By tag project</option>')
  expect(text).toContain('<option value="model" selected>By model</option>')
})

test('days that make no sense are said to, and the last 30 are shown', async () => {
  const account = await accountWith()
  const wrong = [
    'from=2026-02-30&to=2026-03-01',
    'from=x',
    'from=2026-11-03&to=2026-11-01',
    'from=2020-01-01&to=2026-11-01',
    'to=2026-11-01',
  ]
  for (const query of wrong) {
    const { status, text } = await site.ask(account.owner, `${account.path}/usage?${query}`)
    expect([query, status, text.includes('role="alert"')]).toEqual([query, 200, true])
    const asked = account.asked()
    expect(Date.parse(asked.get('to') ?? '') - Date.parse(asked.get('from') ?? '')).toBe(30 * 86_400_000)
  }
})

test('the CSV is every page of the gateway’s under one line of names', async () => {
  const account = await accountWith()
  site.gateway.on(`GET /accounts/${account.id}/usage`, ({ search, accept }: { search: string; accept: string | null }) => {
    const cursor = Number(new URLSearchParams(search).get('cursor') ?? 0)
    const link = cursor < 2 ? { link: `<?cursor=${cursor + 1}&limit=500>; rel="next"` } : {}
    return new Response(`names\r\n${accept} ${cursor}\r\n`, { headers: { 'content-type': 'text/csv', ...link } })
  })
  const { text, headers } = await site.ask(account.member, `${account.path}/usage.csv?from=2026-11-01&to=2026-11-03`)
  expect(text).toBe('names\r\ntext/csv 0\r\ntext/csv 1\r\ntext/csv 2\r\n')
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-disposition')).toBe('attachment; filename="filmgate-usage-2026-11-01-2026-11-03.csv"')
  site.gateway.on(`GET /accounts/${account.id}/usage`, () => refusal(503, 'service_unavailable'))
  expect((await site.ask(account.member, `${account.path}/usage.csv`)).status).toBe(503)
})

test('a cursor that somebody wrote is a fault of theirs', async () => {
  const account = await accountWith()
  site.gateway.on(`GET /accounts/${account.id}/usage`, () => refusal(400, 'invalid_request'))
  expect((await site.ask(account.owner, `${account.path}/usage?cursor=mine`)).status).toBe(400)
})

test('what is spent, held and refunded are three figures, and an older gateway’s sums are all spent', async () => {
  const figuresOf = async (more: Partial<UsageSumView>) => {
    const account = await accountWith([{ ...sum('2026-11-02', 'alpha-h3', 70), credits_used: 100, credits_refunded: 30, ...more }])
    const { text } = await site.ask(account.owner, `${account.path}/usage?from=2026-11-01&to=2026-11-03`)
    return [...text.matchAll(/<h2 class="figure-name">([^<]*)<\/h2><p class="figure">([^<]*)</g)].map(
      ([, name, value]) => `${name} ${value}`,
    )
  }
  const rest = ['Of the paid balance 60', 'Generations 1']
  expect(await figuresOf({ credits_held: 42 })).toEqual(['Credits spent 28', 'Held 42', 'Refunded 30', ...rest])
  expect(await figuresOf({ credits_held: undefined })).toEqual(['Credits spent 70', 'Held 0', 'Refunded 30', ...rest])
})
