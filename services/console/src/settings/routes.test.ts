import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { applyFact } from '../billing/events/apply-fact'
import { findPurchase } from '../billing/purchases/purchase-repository'
import { sessionFact } from '../billing/stripe/facts'
import { sessionOf } from '../billing/testing/deliver'
import { insertTestPurchase } from '../billing/testing/purchase'
import { newFormId } from '../http/submit-once'
import { refusal } from '../testing/fake-gateway'
import { openConsole, type TestConsole } from '../testing/open-console'
import { ownersOnly, readers, whoMay } from '../testing/who-may'
import { settings } from './routes'

let site: TestConsole
beforeAll(async () => {
  site = await openConsole(settings)
})
afterAll(() => site.close())

async function newAccount(name = 'Studio') {
  const account = await site.newAccount(name)
  const path = `/accounts/${account.id}`
  site.gateway.on(`GET ${path}`, { account_id: account.id, available_credits: 1_200, starter_credits: 34, unfinished: 2 })
  site.gateway.on(`PUT ${path}`, { account_id: account.id })
  site.gateway.on(`DELETE ${path}`, { account_id: account.id })
  site.gateway.on(`GET ${path}/keys`, { data: [{ key_id: 'k1', prefix: 'sk_live_k1' }] })
  for (const list of ['tasks', 'usage', 'credit-changes', 'requests'])
    site.gateway.on(`GET ${path}/${list}`, ({ search }: { search: string }) =>
      search.includes('cursor=2') ? { data: [{ id: `${list} 2` }], next_cursor: null } : { data: [{ id: `${list} 1` }], next_cursor: '2' },
    )
  return account
}
const closing = (name: string) => ({ form: newFormId(), name })
const isClosed = async (id: string) => (await site.sql`select closed_at from account where id = ${id}`)[0]?.closed_at !== null

test('who may see the settings, and who may rename, export and delete', async () => {
  const account = await newAccount()
  expect(await whoMay(site, account, '/settings')).toEqual(readers())
  expect(await whoMay(site, account, '/settings/name', () => ({ name: 'Studio' }))).toEqual(ownersOnly(303))
  expect(await whoMay(site, account, '/settings/export')).toEqual(ownersOnly(200))
  expect(await whoMay(site, account, '/settings/delete')).toEqual(ownersOnly(200))
  expect(await whoMay(site, account, '/settings/delete', () => closing('Studio'))).toEqual(ownersOnly(303))
})

test('a name is changed at the gateway and here, and kept with who did it', async () => {
  const account = await newAccount()
  const rename = (name: string) => site.ask(account.owner, `${account.path}/settings/name`, { form: { name } })
  for (const name of [' ', 'x'.repeat(101), 'two\nlines', 'see https://evil.example']) expect((await rename(name)).status).toBe(400)
  expect((await rename('Boat & Sons')).status).toBe(303)
  expect(site.gateway.seen.filter(({ method, path }) => method === 'PUT' && path === `/accounts/${account.id}`)).toMatchObject([
    { body: { name: 'Boat & Sons' }, operator: account.owner.email },
  ])
  expect((await site.ask(account.viewer, `${account.path}/settings`)).text).toContain('Boat &amp; Sons')
  expect(await site.acts(account.id)).toMatchObject([{ act: 'account.renamed', details: { from: 'Studio', to: 'Boat & Sons' } }])
})

test('an export has every page of everything, an object a line', async () => {
  const account = await newAccount()
  const purchaseId = randomUUID()
  await site.sql`
    insert into purchase (id, account_id, person_id, pack_id, pack_version, pack_name, credits, amount, currency, livemode, checkout_url)
    values (${purchaseId}, ${account.id}, ${account.owner.id}, 'small', 1, 'Small', 100, 1000, 'eur', false, 'https://pay.example/secret')`
  const { text, headers } = await site.ask(account.owner, `${account.path}/settings/export`)
  const lines = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines.map(({ type, id, email, act }) => [type, id ?? email ?? act].filter(Boolean).join(' '))).toEqual([
    'account',
    ...[account.owner, account.member, account.viewer].map(({ email }) => `member ${email}`),
    'key',
    'task tasks 1',
    'task tasks 2',
    'usage usage 1',
    'usage usage 2',
    'credit_change credit-changes 1',
    'credit_change credit-changes 2',
    'request requests 1',
    'request requests 2',
    `purchase ${purchaseId}`,
    expect.stringMatching(/^act /),
  ])
  expect(text).not.toContain('pay.example')
  expect(headers.get('content-disposition')).toContain(`filmgate-${account.id}-`)
  expect(await site.acts(account.id)).toMatchObject([{ act: 'account.exported' }])
})

test('an export of 100,000 rows is read as it is taken, and no further than its reader goes', async () => {
  const account = await newAccount()
  const record = { id: 'r', note: 'x'.repeat(200) }
  const data = Array.from({ length: 500 }, () => record)
  let pages = 0
  site.gateway.on(`GET /accounts/${account.id}/usage`, () => ({ data, next_cursor: ++pages < 200 ? String(pages) : null }))
  const reader = (await site.open(account.owner, `${account.path}/settings/export`)).body?.getReader()
  let [bytes, behind] = [0, 0]
  for (let chunks = 0; chunks < 20; chunks++) {
    bytes += (await reader?.read())?.value?.byteLength ?? 0
    behind = Math.max(behind, pages * 500 * 230 - bytes)
  }
  // One page of the gateway, and one chunk waiting for the reader.
  expect(behind).toBeLessThan(3 * 500 * 230)
  await reader?.cancel()
  const asked = pages
  expect((await site.ask(account.owner, `${account.path}/settings`)).status).toBe(200)
  expect([pages, asked < 20]).toEqual([asked, true])
})

test('an account is exported ten times an hour', async () => {
  const account = await newAccount()
  const statuses: number[] = []
  for (let times = 0; times < 11; times++) statuses.push((await site.ask(account.owner, `${account.path}/settings/export`)).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  expect((await site.acts(account.id)).length).toBe(10)
})

test('what is lost is said before an account is deleted, and its name must be typed', async () => {
  const account = await newAccount()
  const path = `${account.path}/settings/delete`
  const { text } = await site.ask(account.owner, path)
  for (const words of ['1,234 credits are forfeited', '2 videos are in progress']) expect(text).toContain(words)
  expect((await site.ask(account.owner, path, { form: closing('studio') })).status).toBe(400)
  expect(await isClosed(account.id)).toBe(false)
  expect(site.gateway.seen.filter(({ method, path }) => method === 'DELETE' && path === `/accounts/${account.id}`)).toEqual([])
})

test('nobody enters an account that is deleted, and the gateway has ended its keys', async () => {
  const account = await newAccount()
  const { location } = await site.ask(account.owner, `${account.path}/settings/delete`, { form: closing('Studio') })
  expect(location).toBe('/accounts?done=closed')
  for (const visitor of [account.owner, account.member, account.viewer])
    expect((await site.ask(visitor, `${account.path}/settings`)).status).toBe(404)
  expect(site.gateway.seen.filter(({ method, path }) => method === 'DELETE' && path === `/accounts/${account.id}`)).toHaveLength(1)
  expect(await site.acts(account.id)).toMatchObject([{ act: 'account.closed', email: account.owner.email, details: { name: 'Studio' } }])
})

test('an account is not deleted while credits that were paid for are on their way', async () => {
  const account = await newAccount()
  const { id } = await insertTestPurchase(site.sql, { accountId: account.id })
  const close = () => site.ask(account.owner, `${account.path}/settings/delete`, { form: closing('Studio') })
  const become = (state: string) => site.sql`update purchase set state = ${state}, payment_intent_id = ${`pi_${id}`} where id = ${id}`
  await become('paid')
  expect((await close()).status).toBe(409)
  expect([await isClosed(account.id), site.gateway.seen.some(({ method, path }) => method === 'DELETE' && path === account.path)]).toEqual([
    false,
    false,
  ])
  await become('granted')
  expect([(await close()).status, await isClosed(account.id)]).toEqual([303, true])
})

test('a payment that arrives while its account is being deleted is looked at, and not granted to nobody', async () => {
  const account = await newAccount()
  const purchase = await insertTestPurchase(site.sql, { accountId: account.id })
  const fact = sessionFact(sessionOf(purchase, `pi_${purchase.id}`))
  let applied: Promise<unknown> = Promise.resolve()
  site.gateway.on(`DELETE ${account.path}`, () => {
    applied = site.sql.begin(sql => applyFact(sql, { fact, livemode: false, observedAt: new Date() }))
    return { account_id: account.id }
  })
  expect((await site.ask(account.owner, `${account.path}/settings/delete`, { form: closing('Studio') })).status).toBe(303)
  await applied
  expect((await findPurchase(site.sql, purchase.id))?.state).toBe('review')
})

test('while the gateway is away nothing is deleted', async () => {
  const account = await newAccount()
  site.gateway.on(`DELETE /accounts/${account.id}`, () => refusal(503, 'service_unavailable'))
  expect((await site.ask(account.owner, `${account.path}/settings/delete`, { form: closing('Studio') })).status).toBe(503)
  expect(await isClosed(account.id)).toBe(false)
})

test('an account that the gateway was never told of can be deleted', async () => {
  const account = await site.newAccount()
  expect((await site.ask(account.owner, `${account.path}/settings/delete`, { form: closing('Studio') })).status).toBe(303)
  expect(await isClosed(account.id)).toBe(true)
})

test('whoever signed in a while ago is asked for the password before an account is deleted', async () => {
  const account = await newAccount()
  await site.sql`update session set confirmed_at = now() - interval '16 minutes' where person_id = ${account.owner.id}`
  const path = `${account.path}/settings/delete`
  for (const form of [undefined, closing('Studio')]) {
    const { status, text } = await site.ask(account.owner, path, { headers: { accept: 'application/json' }, ...(form && { form }) })
    expect([status, JSON.parse(text).error.code]).toEqual([403, 'confirm_first'])
  }
  expect(await isClosed(account.id)).toBe(false)
})
