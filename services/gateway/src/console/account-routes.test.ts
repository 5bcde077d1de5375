import { afterAll, beforeAll, expect, test } from 'bun:test'
import { forgetClosedPrompts } from '../tasks/forgetting/forget-prompts'
import { consoleApi, newAccountId } from './testing/console-api'

let api: Awaited<ReturnType<typeof consoleApi>>
beforeAll(async () => {
  api = await consoleApi()
})
afterAll(() => api.close())

async function open(name = 'Ada'): Promise<string> {
  const id = newAccountId()
  expect(await api.ask('PUT', `/accounts/${id}`, { body: { name } })).toMatchObject({ status: 201, body: { account_id: id, name } })
  return id
}

test('a wrong token is refused before all else, and counted against its address', async () => {
  const before = api.wrongTokens.length
  for (const token of ['', 'wrong', 'the-token-of-the-tests-consol'])
    expect(await api.ask('GET', `/accounts/${newAccountId()}`, { token, person: '' })).toMatchObject({
      status: 401,
      body: { error: { code: 'console_token_required' } },
    })
  expect(api.wrongTokens.slice(before)).toEqual(['192.0.2.1', '192.0.2.1', '192.0.2.1'])
})

test('who asks is named by an id of the console, and an account by one too', async () => {
  const id = await open()
  for (const person of ['', 'a b', 'x'.repeat(65), 'p\u00e9'])
    expect(await api.ask('GET', `/accounts/${id}`, { person })).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', details: { issues: [{ path: 'X-Filmgate-Person' }] } } },
    })
  for (const path of ['a%00b', 'a%20b', 'x'.repeat(65), 'a.b'])
    expect(await api.ask('PUT', `/accounts/${path}`, { body: { name: 'Ada' } })).toMatchObject({ status: 400 })
})

test('an account is opened once under the id that the console chose, and renamed by another name', async () => {
  const id = await open()
  expect(await api.ask('PUT', `/accounts/${id}`, { body: { name: 'Ada' } })).toMatchObject({ status: 200, body: { name: 'Ada' } })
  expect(await api.ask('PUT', `/accounts/${id}`, { body: { name: 'Grace' } })).toMatchObject({ status: 200, body: { name: 'Grace' } })
  expect(api.sent(id).map(event => event.case)).toEqual(['accountOpened'])
  const acts = await api.sql`select act, operator from operator_act where account_id = ${id} order by id`
  expect([...acts]).toEqual([
    { act: 'account_opened', operator: 'ada@example.com' },
    { act: 'account_renamed', operator: 'ada@example.com' },
  ])
  expect(await api.ask('PUT', `/accounts/${id}`, { body: { name: 'Ada' }, operator: '' })).toMatchObject({ status: 400 })
})

test('an account is shown with its balances; an unknown one is 404 on every route', async () => {
  const id = await open()
  expect((await api.ask('GET', `/accounts/${id}`)).body).toEqual({
    account_id: id,
    name: 'Ada',
    available_credits: 0,
    starter_credits: 0,
    owed_credits: 0,
    low_balance_credits: null,
    unfinished: 0,
    unfinished_max: 3,
    created_at: expect.any(String),
    closed_at: null,
  })
  const unknown = `/accounts/${newAccountId()}`
  const routes: [string, string][] = [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/starter-credits'],
    ['GET', '/keys'],
    ['POST', '/keys'],
    ['POST', '/keys/k/rotate'],
    ['DELETE', '/keys/k'],
    ['POST', '/estimate'],
    ['POST', '/generations'],
    ['GET', '/tasks'],
    ['GET', '/tasks/vt_1'],
    ['GET', '/tasks/vt_1/story'],
    ['GET', '/usage'],
    ['GET', '/usage/summary'],
    ['GET', '/credit-changes'],
    ['PUT', '/grants/g'],
    ['PUT', '/debits/d'],
  ]
  for (const [method, path] of routes)
    expect({ path, answer: await api.ask(method, `${unknown}${path}`) }).toMatchObject({
      answer: { status: 404, body: { error: { code: 'account_not_found' } } },
    })
})

test('a person gets starter credits once for ever, on whatever account and however many ask at once', async () => {
  const [first, second] = [await open(), await open()]
  const racer = `racer-${crypto.randomUUID()}`
  const asking = Array.from({ length: 50 }, (_, n) => (n % 2 ? first : second))
  // Nobody decides here: the ledger's decision is written as soon as the grant is asked for.
  const deciding = decideStarter(racer)
  const answers = await Promise.all(asking.map(id => api.ask('POST', `/accounts/${id}/starter-credits`, { person: racer })))
  await deciding
  expect(answers.map(({ status }) => status)).toEqual(asking.map(() => 200))
  expect(answers.filter(({ body }) => body.granted).map(({ body }) => body)).toEqual([{ granted: true, credits: 200 }])
  expect([...api.sent(first), ...api.sent(second)].filter(event => event.case === 'creditsGranted')).toHaveLength(1)
  expect(await api.ask('POST', `/accounts/${await open()}/starter-credits`, { person: racer })).toMatchObject({
    body: { granted: false, credits: 0 },
  })
})

/** As the ledger does it. */
async function decideStarter(person: string): Promise<void> {
  for (;;) {
    const { count } = await api.sql`
      update credit_change set state = 'applied', available = 0, starter = credits, owed = 0, decided_at = now() where id = ${`starter:${person}`}`
    if (count > 0) return
  }
}

test('a closed account has no key, takes nothing new, keeps no prompt, and is closed once', async () => {
  const id = await open()
  const { key_id: key } = (await api.ask('POST', `/accounts/${id}/keys`, { body: { name: 'k' } })).body
  await api.sql`
    insert into task (id, account_id, key_id, surface, idempotency_key, fingerprint, prompt, model, mode, resolution, billed_seconds, price_version, created_at, updated_at, admit_by)
    select 'vt_closed_' || n || ${id}, ${id}, ${id}, 'web', n::text, '', 'a secret', 'm', 't', '768p', 5, 'p', now(), now(), now() from generate_series(1, 3) as n`
  for (const status of [200, 200])
    expect(await api.ask('DELETE', `/accounts/${id}`)).toMatchObject({ status, body: { account_id: id, closed: true } })
  const [row] = await api.sql`select count(*) as tasks, count(prompt) as prompts from task where account_id = ${id}`
  expect(row).toEqual({ tasks: 3, prompts: 0 })
  const keys = (await api.ask('GET', `/accounts/${id}/keys`)).body.data as { key_id: string; revoked_at: string | null }[]
  expect(keys).toMatchObject([{ key_id: key, revoked_at: expect.any(String) }])
  const refused = { status: 409, body: { error: { code: 'account_closed' } } }
  expect(await api.ask('POST', `/accounts/${id}/keys`, { body: { name: 'again' } })).toMatchObject(refused)
  expect(await api.ask('POST', `/accounts/${id}/generations`, { body: {} })).toMatchObject(refused)
  expect(await api.ask('POST', `/accounts/${id}/starter-credits`, { person: 'closed' })).toMatchObject(refused)
  expect(await api.ask('PUT', `/accounts/${id}`, { body: { name: 'again' } })).toMatchObject(refused)
  await api.sql`update task set prompt = 'of a request that was under way' where id = ${`vt_closed_1${id}`}`
  await forgetClosedPrompts(api.sql)
  expect((await api.sql`select prompt from task where account_id = ${id} and prompt is not null`).length).toBe(0)
  const acts = await api.sql`select act from operator_act where account_id = ${id} order by id`
  expect(acts.map(({ act }) => act)).toEqual(['account_opened', 'key_created', 'key_revoked', 'account_closed'])
})

test('a threshold of the balance is set and ended, shown with the account, and who did it is kept', async () => {
  const id = await open()
  const put = (credits: unknown) => api.ask('PUT', `/accounts/${id}/low-balance`, { body: { credits } })
  const shown = async () => (await api.ask('GET', `/accounts/${id}`)).body.low_balance_credits
  expect(await put(100)).toMatchObject({ status: 200, body: { low_balance_credits: 100 } })
  expect(await shown()).toBe(100)
  for (const credits of [0, -1, 1.5, '100', 1e13]) expect(await put(credits)).toMatchObject({ status: 400 })
  expect(await put(null)).toMatchObject({ status: 200, body: { low_balance_credits: null } })
  expect(await shown()).toBeNull()
  const acts = await api.sql`select operator, subject from operator_act where account_id = ${id} and act = 'low_balance_set' order by id`
  expect([...acts]).toEqual([
    { operator: 'ada@example.com', subject: '100' },
    { operator: 'ada@example.com', subject: null },
  ])
})
