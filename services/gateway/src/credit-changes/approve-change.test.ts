import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Outgoing } from '@filmgate/kit/bus/bus'
import { renderError } from '@filmgate/kit/http/render-error'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import { createOutbox, type Outbox } from '@filmgate/kit/outbox/outbox'
import { type TestDatabase, testDatabase, testLog, until } from '@filmgate/kit/testing'
import { testOperators } from '@filmgate/kit/testing/test-operators'
import { decode, topics } from '@filmgate/proto/topics'
import { Elysia } from 'elysia'
import { createFindBalance } from '../balances/find-balance'
import { reasons } from '../errors'
import { creditChanges } from './operator-routes'

let database: TestDatabase
let outbox: Outbox
let app: { handle(request: Request): Promise<Response> }
const published: Outgoing[] = []
const grantLimit = 100
const person = (name: string) => ({ name, role: 'money' as const, actsForOthers: false })

beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  const { sql } = database
  const bus = { publish: async (messages: Outgoing[]) => void published.push(...messages) }
  outbox = createOutbox({ sql, bus, log: testLog })
  const operators = testOperators({
    shared: {},
    ana: person('Ana@example.com'),
    bob: person('bob@example.com'),
    eve: person('eve'),
    console: { ...person('console'), actsForOthers: true },
  })
  app = new Elysia({ normalize: false })
    .use(renderError(testLog, reasons))
    .use(operatorAuth(operators))
    .use(creditChanges({ sql, outbox, topicPrefix: 'test', findBalance: createFindBalance(sql), grantLimit, now: () => new Date() }))
})
afterAll(async () => {
  await outbox.stop()
  await database.drop()
})

async function ask(token: string, path: string, body?: object, as?: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...(as && { 'x-filmgate-operator': as }) }
  const method = body === undefined ? 'GET' : 'POST'
  const answer = await app.handle(new Request(`http://gateway${path}`, { method, headers, body: body && JSON.stringify(body) }))
  // biome-ignore lint/suspicious/noExplicitAny: a test reads into whatever came.
  return { status: answer.status, body: (await answer.json()) as any }
}

async function newAccount(): Promise<string> {
  const id = `acct_${crypto.randomUUID()}`
  await database.sql`insert into account (id, name) values (${id}, 'test')`
  return id
}

const newTerms = (credits = grantLimit + 1) => ({ id: crypto.randomUUID(), credits, balance: 'paid', reason: 'a test' })
const sentOf = (accountId: string) =>
  published.filter(({ key }) => key === accountId).map(({ value }) => decode(topics.requests.schema, value ?? new Uint8Array()).event)
const refused = (reason: string) => ({ status: 403, body: { error: { code: reason } } })
const waits = { status: 202, body: { state: 'awaiting_second', operator: 'Ana@example.com' } }
/** As if the ledger had decided, so that nobody waits for it. */
const decide = (id: string) =>
  until('the change', async () => {
    const { count } = await database.sql`
      update credit_change set state = 'applied', available = 1, starter = 0, decided_at = now() where id = ${id} and state = 'pending'`
    return count > 0
  })

test('a grant above the limit asks nothing of the ledger until another operator approves it, and then once, in the name of who asked', async () => {
  const account = await newAccount()
  const terms = newTerms()
  expect(await ask('ana', `/accounts/${account}/grants`, terms)).toMatchObject(waits)
  expect(await ask('bob', `/accounts/${account}/grants`, terms)).toMatchObject(waits)
  expect((await ask('bob', '/credit-changes')).body.data).toMatchObject([
    { id: terms.id, account_id: account, operator: 'Ana@example.com', credits: 101 },
  ])
  expect(await ask('ana', `/credit-changes/${terms.id}/approve`, {})).toMatchObject(refused('second_person_required'))
  expect(sentOf(account)).toEqual([])
  const approving = ask('bob', `/credit-changes/${terms.id}/approve`, {})
  await decide(terms.id)
  expect(await approving).toMatchObject({ status: 200, body: { state: 'applied', operator: 'Ana@example.com', credits: 101 } })
  const told = { status: 200, body: { state: 'applied' } }
  expect(await ask('console', `/credit-changes/${terms.id}/approve`, {}, 'carol@example.com')).toMatchObject(told)
  expect(await ask('ana', `/accounts/${account}/grants`, terms)).toMatchObject(told)
  expect(sentOf(account)).toMatchObject([{ case: 'creditsGranted', value: { grantId: terms.id, operator: 'Ana@example.com' } }])
  expect(await database.sql`select operator, act, subject from operator_act where account_id = ${account}`).toMatchObject([
    { operator: 'bob@example.com', act: 'change_approved', subject: terms.id },
  ])
  expect((await ask('bob', '/credit-changes')).body.data).toEqual([])
})

test('twenty approvals at once ask the ledger for one change, and keep who was first', async () => {
  const account = await newAccount()
  const terms = newTerms()
  await ask('ana', `/accounts/${account}/debits`, terms)
  const path = `/credit-changes/${terms.id}/approve`
  const approving = Array.from({ length: 20 }, (_, index) =>
    index % 2 ? ask('bob', path, {}) : ask('console', path, {}, 'carol@example.com'),
  )
  await decide(terms.id)
  expect(new Set((await Promise.all(approving)).map(({ body }) => body.state))).toEqual(new Set(['applied']))
  expect(await database.sql`select 1 from credit_change where id = ${terms.id}`).toHaveLength(1)
  expect(await database.sql`select 1 from operator_act where account_id = ${account}`).toHaveLength(1)
})

test('up to the limit one operator suffices, with the shared token too', async () => {
  const account = await newAccount()
  const terms = newTerms(grantLimit)
  const asking = ask('shared', `/accounts/${account}/grants`, { ...terms, by: 'script' })
  await decide(terms.id)
  expect(await asking).toMatchObject({ status: 200, body: { state: 'applied', operator: 'script' } })
})

test('with the shared token nobody asks for more, nor approves it: one person could be two', async () => {
  const account = await newAccount()
  const terms = newTerms()
  expect(await ask('shared', `/accounts/${account}/grants`, { ...terms, by: 'ana' })).toMatchObject(refused('second_person_required'))
  expect(await ask('ana', `/accounts/${account}/grants`, terms)).toMatchObject(waits)
  expect(await ask('shared', `/credit-changes/${terms.id}/approve`, {}, 'bob@example.com')).toMatchObject(refused('second_person_required'))
  for (const as of ['Ana@example.com', 'ana@example.com', '%20ANA@EXAMPLE.COM%20'])
    expect(await ask('console', `/credit-changes/${terms.id}/approve`, {}, as)).toMatchObject(refused('second_person_required'))
  expect(sentOf(account)).toEqual([])
})

test('an id waits for one change: other terms are refused with 409; of what waits nowhere there is nothing to approve', async () => {
  const account = await newAccount()
  const terms = newTerms()
  await ask('ana', `/accounts/${account}/grants`, terms)
  for (const [path, changed] of [
    ['grants', { credits: 102 }],
    ['grants', { reason: 'another' }],
    ['debits', {}],
  ] as const)
    expect((await ask('ana', `/accounts/${account}/${path}`, { ...terms, ...changed })).body.error.code).toBe('change_id_reused')
  expect((await ask('ana', '/accounts/acct_none/grants', newTerms())).body.error.code).toBe('account_not_found')
  expect((await ask('bob', '/credit-changes/nothing/approve', {})).body.error.code).toBe('change_not_found')
})

test('above the limit a name that is no e-mail address neither asks nor approves, and nothing that it asked for is approved', async () => {
  const account = await newAccount()
  const path = (terms: { id: string }) => `/credit-changes/${terms.id}/approve`
  const [terms, ofBefore] = [newTerms(), newTerms()]
  const answer = await ask('eve', `/accounts/${account}/grants`, terms)
  expect([answer.status, answer.body.error]).toEqual([
    403,
    { code: 'second_person_required', message: expect.stringContaining('e-mail address') },
  ])
  expect(await ask('console', `/accounts/${account}/grants`, terms, 'eve')).toMatchObject(refused('second_person_required'))
  expect(await ask('ana', `/accounts/${account}/grants`, terms)).toMatchObject(waits)
  expect(await ask('eve', path(terms), {})).toMatchObject(refused('second_person_required'))
  await database.sql`
    insert into awaited_change (id, account_id, kind, credits, balance, reason, operator, asked_at)
    values (${ofBefore.id}, ${account}, 'grant', 101, 'paid', 'a test', 'eve', now())`
  expect(await ask('bob', path(ofBefore), {})).toMatchObject(refused('second_person_required'))
  expect(sentOf(account)).toEqual([])
})
