import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createReadiness } from '@filmgate/kit/http/server'
import { testLog } from '@filmgate/kit/testing'
import { testOperators } from '@filmgate/kit/testing/test-operators'
import { createApp } from '../app'
import { ask, auditRules, conclude, grant, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'

const operatorToken = 'the-operator-token-of-this-test'
let books: LedgerBooks
let app: ReturnType<typeof createApp>
beforeAll(async () => {
  books = await ledgerBooks()
  app = createApp({
    ...books.deps,
    operators: testOperators({ [operatorToken]: {} }),
    auditRules,
    log: testLog,
    readiness: createReadiness({}),
  })
})
afterAll(() => books.close())

async function call(
  method: string,
  path: string,
  { body, authorization = `Bearer ${operatorToken}`, by }: { body?: unknown; authorization?: string; by?: string } = {},
) {
  const headers = {
    ...(authorization && { authorization }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(by && { 'x-filmgate-operator': by }),
  }
  const payload = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  const response = await app.handle(new Request(`http://ledger${path}`, { method, headers, body: payload }))
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into whatever came.
  return { status: response.status, body: (await response.json()) as any }
}

const at = new Date(1_790_000_000_000).toISOString()

test('without the token, or with a wrong one, nothing is shown', async () => {
  const notSent = 'Send the operator token as a bearer token.'
  const notValid = 'This operator token is not valid.'
  for (const [authorization, message] of [
    ['', notSent],
    ['Bearer wrong', notValid],
    [operatorToken, notSent],
    [`Bearer ${operatorToken}x`, notValid],
  ] as const)
    for (const [method, path] of [
      ['GET', '/operator/tasks/x'],
      ['GET', '/operator/accounts/x'],
      ['POST', '/operator/audit'],
      ['POST', '/operator/epoch'],
      ['GET', '/operator/audits'],
      ['GET', '/operator/contradictions'],
      ['POST', '/operator/tasks/x/acknowledge'],
      ['POST', '/operator/tasks/x/replay'],
      ['POST', '/operator/tasks/x/release'],
    ] as const)
      expect(await call(method, path, { authorization })).toEqual({
        status: 401,
        body: { error: { code: 'operator_token_required', message } },
      })
})

test('health and metrics need no token', async () => {
  expect((await app.handle(new Request('http://ledger/readyz'))).status).toBe(200)
  expect((await app.handle(new Request('http://ledger/metrics'))).status).toBe(200)
})

test('a task is shown with its reservation and every entry', async () => {
  const account = newId('acct')
  const request = ask(account, 40)
  await books.post(grant(account, 100), request)
  await books.post(conclude('completed', request))
  const entry = (kind: string, book: string, credits: number) => ({ kind, book, account_id: account, credits, at })
  expect(await call('GET', `/operator/tasks/${request.taskId}`)).toEqual({
    status: 200,
    body: {
      reservation: {
        task_id: request.taskId,
        account_id: account,
        surface: 'api',
        state: 'settled',
        credits: 40,
        paid: 40,
        starter: 0,
        refunded: 0,
        price_version: 'p1',
        reserved_at: at,
        changed_at: at,
        ended_at: at,
        counts_until: null,
      },
      declined: null,
      release: null,
      entries: [
        entry('reserve', 'customer_paid', -40),
        entry('reserve', 'reserved', 40),
        entry('settle', 'reserved', -40),
        entry('settle', 'revenue', 40),
      ],
      contradictions: [],
    },
  })
})

test('a task that was declined says why', async () => {
  const account = newId('acct')
  const request = ask(account, 40)
  await books.post(grant(account, 39), request)
  expect((await call('GET', `/operator/tasks/${request.taskId}`)).body).toEqual({
    reservation: null,
    declined: {
      task_id: request.taskId,
      account_id: account,
      reason: 'insufficient_credits',
      required: 40,
      available: 39,
      declined_at: at,
    },
    release: null,
    entries: [],
    contradictions: [],
  })
})

test('an account is shown with its balances and what is open', async () => {
  const account = newId('acct')
  const [open, ended] = [ask(account, 40), ask(account, 5)]
  await books.post(grant(account, 100), grant(account, 7, 'starter'), open, ended)
  await books.post(conclude('completed', ended))
  const { status, body } = await call('GET', `/operator/accounts/${account}`)
  expect([status, body.account]).toEqual([
    200,
    { account_id: account, available: 55, starter: 7, owed: 0, unfinished: 1, balance_version: 4, opened_at: at },
  ])
  expect(body.open.map((one: { task_id: string }) => one.task_id)).toEqual([open.taskId])
})

test('a contradiction stays a finding until an operator acknowledges it: who and why are kept', async () => {
  const account = newId('acct')
  const request = ask(account, 40)
  await books.post(grant(account, 100), request)
  await books.post(conclude('completed', request), conclude('refused', request))
  const audit = await call('POST', '/operator/audit')
  expect(audit).toMatchObject({
    status: 200,
    body: { findings: [{ check: 'verdict_contradicts' }], checked: { accounts: expect.any(Number) } },
  })
  const open = async () =>
    (await call('GET', '/operator/contradictions')).body.data.filter((one: { account_id: string }) => one.account_id === account)
  expect(await open()).toMatchObject([{ task_id: request.taskId, verdict: 'refused', state: 'settled', times: 1, acknowledged_at: null }])
  const acknowledge = () =>
    call('POST', `/operator/tasks/${request.taskId}/acknowledge`, { body: { reason: 'provider mixed up two ids', by: 'ada' } })
  expect((await acknowledge()).body).toEqual({ acknowledged: 1 })
  expect((await call('POST', '/operator/audit')).body.findings).toEqual([])
  expect(await open()).toEqual([])
  expect((await call('GET', '/operator/audits?limit=2')).body.data).toMatchObject([
    { scope: 'new', findings: [], at: expect.any(String) },
    { findings: [{ check: 'verdict_contradicts' }], checked: { accounts: expect.any(Number) } },
  ])
  expect((await call('GET', '/operator/audits')).body.data).toHaveLength(1)
  expect((await call('GET', '/operator/audits?limit=21')).status).toBe(400)
  expect((await call('GET', `/operator/tasks/${request.taskId}`)).body.contradictions).toMatchObject([
    { verdict: 'refused', state: 'settled', acknowledged_reason: 'provider mixed up two ids', acknowledged_by: 'ada' },
  ])
  expect((await acknowledge()).status).toBe(404)
})

test('what is not there is 404, what is malformed is 400, each with its reason', async () => {
  const code = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, { body })
    return [answer.status, answer.body.error.code]
  }
  expect(await code('GET', '/operator/tasks/none')).toEqual([404, 'task_not_found'])
  expect(await code('GET', '/operator/accounts/none')).toEqual([404, 'account_not_found'])
  expect(await code('GET', '/nowhere')).toEqual([404, 'not_found'])
  expect(await code('GET', '/operator/accounts/a%00b')).toEqual([400, 'invalid_request'])
  expect(await code('POST', '/operator/tasks/x/acknowledge', '{')).toEqual([400, 'invalid_json'])
  expect(await code('POST', '/operator/tasks/x/acknowledge', { reason: '', by: 'ada' })).toEqual([400, 'invalid_request'])
  expect(await code('POST', '/operator/tasks/x/acknowledge', { reason: 'r', by: 'ada', more: 1 })).toEqual([400, 'invalid_request'])
  expect(await code('POST', '/operator/tasks/x/acknowledge', { reason: 'r' })).toEqual([400, 'invalid_request'])
})

test('an epoch of the books is begun part by part', async () => {
  const answer = await call('POST', '/operator/epoch', { body: {}, by: 'ada' })
  expect(answer).toEqual({ status: 200, body: { rows: expect.any(Number), next: null } })
  expect(answer.body.rows).toBeGreaterThan(0)
  expect((await call('POST', '/operator/epoch', { body: { after: 'zzzz' }, by: 'ada' })).body).toEqual({ rows: 0, next: null })
  expect((await call('POST', '/operator/epoch', { body: {} })).status).toBe(400)
})

const eventsOf = (accountId: string) => books.events(accountId).map(event => event.case)

test('a task is replayed on demand: what was reserved of it and what it has come to', async () => {
  const account = newId('acct')
  const request = ask(account, 40)
  await books.post(grant(account, 100), request, conclude('uncertain', request))
  const before = eventsOf(account).length
  expect(await call('POST', `/operator/tasks/${request.taskId}/replay`, { by: 'ada' })).toEqual({
    status: 200,
    body: { published: ['creditsReserved', 'reviewOpened', 'balanceChanged'] },
  })
  expect(eventsOf(account).slice(before)).toEqual(['creditsReserved', 'reviewOpened', 'balanceChanged'])
  expect((await call('POST', '/operator/tasks/none/replay', { by: 'ada' })).status).toBe(404)
  expect((await call('POST', `/operator/tasks/${request.taskId}/replay`)).status).toBe(400)
})

test('a request that never came is released once: declined with who and why, and it stays so when it comes after all', async () => {
  const account = newId('acct')
  await books.post(grant(account, 100))
  const request = ask(account, 40)
  const body = {
    account_id: account,
    admit_by: new Date(request.admitByMs).toISOString(),
    reason: 'lost with the broker’s disk',
    by: 'ada',
  }
  const release = () => call('POST', `/operator/tasks/${request.taskId}/release`, { body })
  expect(await release()).toEqual({ status: 200, body: { published: ['creditsDeclined'] } })
  expect(await release()).toEqual({ status: 200, body: { published: ['creditsDeclined'] } })
  await books.post(request)
  expect(eventsOf(account)).toEqual(['creditsChangeDecided', 'balanceChanged', 'creditsDeclined', 'creditsDeclined', 'creditsDeclined'])
  expect(await books.balance(account)).toMatchObject({ available: 100, unfinished: 0 })
  expect((await call('GET', `/operator/tasks/${request.taskId}`)).body).toMatchObject({
    reservation: null,
    declined: { reason: 'released' },
    release: { reason: body.reason, by: 'ada', released_at: at },
  })
})

test('a task with a reservation is not released here, whatever its state', async () => {
  const account = newId('acct')
  const [open, ended] = [ask(account, 40), ask(account, 40)]
  await books.post(grant(account, 100), open, ended, conclude('completed', ended))
  for (const { taskId } of [open, ended]) {
    const body = { account_id: account, admit_by: at, reason: 'r', by: 'ada' }
    const answer = await call('POST', `/operator/tasks/${taskId}/release`, { body })
    expect([answer.status, answer.body.error.code]).toEqual([409, 'reservation_exists'])
  }
  expect(await books.balance(account)).toMatchObject({ available: 20, unfinished: 1 })
})
