import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import type { Incoming, Outgoing } from '@filmgate/kit/bus/bus'
import { renderError } from '@filmgate/kit/http/render-error'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import { createOutbox, type Outbox } from '@filmgate/kit/outbox/outbox'
import { type TestDatabase, testDatabase, testLog, until } from '@filmgate/kit/testing'
import { testOperators } from '@filmgate/kit/testing/test-operators'
import { ChangeKind, ChangeRefusal, CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { Balance } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { decode, topics } from '@filmgate/proto/topics'
import { Elysia } from 'elysia'
import { createFindBalance } from '../balances/find-balance'
import { reasons } from '../errors'
import type { PipelineEvent } from '../projection/pipeline-event'
import { project } from '../projection/project'
import { creditChanges } from './operator-routes'

const token = 'a-token-of-the-test-operators'
let database: TestDatabase
let outbox: Outbox
const published: Outgoing[] = []
let ask: (path: string, body: object, headers?: Record<string, string>) => Promise<{ status: number; body: Answer }>

type Answer = { state: string; refusal: string | null; available: number | null; operator: string; error: { code: string } }

beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  const { sql } = database
  const bus = {
    async publish(messages: Outgoing[]) {
      published.push(...messages)
    },
  }
  outbox = createOutbox({ sql, bus, log: testLog })
  const app = new Elysia({ normalize: false })
    .use(renderError(testLog, reasons))
    .use(operatorAuth(testOperators({ [token]: {} })))
    .use(creditChanges({ sql, outbox, topicPrefix: 'test', findBalance: createFindBalance(sql), now: () => new Date() }))
  ask = async (path, body, headers = {}) => {
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }
    const response = await app.handle(new Request(`http://gateway${path}`, init))
    return { status: response.status, body: (await response.json()) as Answer }
  }
})
afterAll(async () => {
  await outbox.stop()
  await database.drop()
})

async function newAccount(): Promise<string> {
  const id = `acct_${crypto.randomUUID()}`
  await database.sql`insert into account (id, name) values (${id}, 'test')`
  return id
}

const newTerms = () => ({ id: crypto.randomUUID(), credits: 40, balance: 'paid', reason: 'a test', by: 'ada' })
const sentOf = (accountId: string) =>
  published.filter(({ key }) => key === accountId).map(({ value }) => decode(topics.requests.schema, value ?? new Uint8Array()).event)

type Decided = { kind?: ChangeKind; refusal?: ChangeRefusal; credits?: bigint; reason?: string }

/** The ledger's decision on a change, as its event brings it. */
const decide = (
  accountId: string,
  changeId: string,
  { kind = ChangeKind.GRANT, refusal, credits = 40n, reason = 'a test' }: Decided = {},
) => {
  const applied = refusal === undefined
  const value = { changeId, accountId, kind, balance: Balance.PAID, credits, reason, applied, refusal: refusal ?? 0, available: 140n }
  const { event } = create(CreditsEventSchema, { event: { case: 'creditsChangeDecided', value } })
  const message: Incoming<PipelineEvent> = {
    topic: 't',
    partition: 0,
    offset: '0',
    key: accountId,
    event,
    eventId: crypto.randomUUID(),
    traceparent: undefined,
    timestampMs: Date.now(),
  }
  return project({ sql: database.sql, wake: () => {} }, [message])
}

test('a grant is asked of the ledger once, and its caller is told what became of it, as is whoever asks again', async () => {
  const account = await newAccount()
  const terms = newTerms()
  const asking = ask(`/accounts/${account}/grants`, terms)
  await until('the event', () => sentOf(account).length > 0)
  await decide(account, terms.id)
  const applied = { status: 200, body: { id: terms.id, kind: 'grant', state: 'applied', refusal: null, available: 140, operator: 'ada' } }
  expect(await asking).toMatchObject(applied)
  expect(await ask(`/accounts/${account}/grants`, { ...terms, by: 'grace' })).toMatchObject(applied)
  expect(sentOf(account)).toMatchObject([{ case: 'creditsGranted', value: { grantId: terms.id, credits: 40n, operator: 'ada' } }])
})

test('a debit that the ledger declines is told as declined, and stays so', async () => {
  const account = await newAccount()
  const { id, by, ...terms } = newTerms()
  const headers = { 'idempotency-key': id, 'x-filmgate-operator': by }
  const asking = ask(`/accounts/${account}/debits`, terms, headers)
  await until('the event', () => sentOf(account).length > 0)
  await decide(account, id, { kind: ChangeKind.DEBIT, refusal: ChangeRefusal.INSUFFICIENT_CREDITS })
  const declined = { status: 200, body: { kind: 'debit', state: 'declined', refusal: 'insufficient_credits', available: 140 } }
  expect(await asking).toMatchObject(declined)
  await decide(account, id, { kind: ChangeKind.DEBIT })
  expect(await ask(`/accounts/${account}/debits`, terms, headers)).toMatchObject(declined)
  expect(sentOf(account)).toMatchObject([{ case: 'creditsDebited', value: { debitId: id, operator: 'ada' } }])
})

test('asked again while it is pending, the ledger is asked again: a lost message has an end', async () => {
  const account = await newAccount()
  const terms = newTerms()
  const first = ask(`/accounts/${account}/grants`, terms)
  await until('the first event', () => sentOf(account).length === 1)
  const second = ask(`/accounts/${account}/grants`, terms)
  await until('the second event', () => sentOf(account).length === 2)
  await decide(account, terms.id)
  expect([(await first).body.state, (await second).body.state]).toEqual(['applied', 'applied'])
  expect(sentOf(account)[1]).toEqual(sentOf(account)[0] as never)
})

test('while the ledger says nothing the answer is 202 and pending', async () => {
  const account = await newAccount()
  expect(await ask(`/accounts/${account}/grants`, newTerms())).toMatchObject({ status: 202, body: { state: 'pending', available: null } })
}, 15_000)

test('the same id with other terms is refused with 409, asks nothing of the ledger but to show it', async () => {
  const [account, elsewhere] = [await newAccount(), await newAccount()]
  const terms = newTerms()
  const first = ask(`/accounts/${account}/grants`, terms)
  await until('the event', () => sentOf(account).length > 0)
  const others = [
    ask(`/accounts/${account}/grants`, { ...terms, credits: 41 }),
    ask(`/accounts/${account}/grants`, { ...terms, balance: 'starter' }),
    ask(`/accounts/${account}/grants`, { ...terms, reason: 'another' }),
    ask(`/accounts/${account}/debits`, terms),
    ask(`/accounts/${elsewhere}/grants`, terms),
  ]
  for (const answer of await Promise.all(others)) expect([answer.status, answer.body.error.code]).toEqual([409, 'change_id_reused'])
  const [, ...told] = sentOf(account)
  expect(told.map(event => event.case)).toEqual(Array(4).fill('changeIdReused'))
  expect(sentOf(elsewhere)).toMatchObject([
    {
      case: 'changeIdReused',
      value: {
        changeId: terms.id,
        asked: `grant of 40 paid credits of account ${elsewhere} (a test)`,
        known: `grant of 40 paid credits of account ${account} (a test)`,
      },
    },
  ])
  await decide(account, terms.id, { credits: 41n, refusal: ChangeRefusal.OTHER_TERMS })
  await decide(account, terms.id, { reason: 'another', refusal: ChangeRefusal.OTHER_TERMS })
  await decide(account, terms.id)
  expect((await first).body.state).toBe('applied')
})

test('twenty calls of one id at once ask for one change', async () => {
  const account = await newAccount()
  const terms = newTerms()
  const asking = Array.from({ length: 20 }, () => ask(`/accounts/${account}/grants`, terms))
  await until('the events', () => sentOf(account).length > 0)
  await decide(account, terms.id)
  expect(new Set((await Promise.all(asking)).map(({ body }) => body.state))).toEqual(new Set(['applied']))
  expect(await database.sql`select count(*) as rows from credit_change where account_id = ${account}`).toMatchObject([{ rows: 1 }])
})

test('without an id or a name, with two that differ, or with a malformed one, nothing is asked; an unknown account is 404', async () => {
  const account = await newAccount()
  const { id, by, ...terms } = newTerms()
  const bodies: [object, Record<string, string>?][] = [
    [{ ...terms, by }],
    [{ ...terms, id }],
    [{ ...terms, id: 'a b', by }],
    [{ ...terms, id: 'x'.repeat(161), by }],
    [{ ...terms, id, by: 'a\nb' }],
    [{ ...terms, id, by }, { 'idempotency-key': 'another' }],
    [{ ...terms, id, by }, { 'x-filmgate-operator': 'another' }],
    [{ ...terms, id, by, credits: 0 }],
    [{ ...terms, id, by, more: 1 }],
  ]
  for (const [body, headers] of bodies) {
    const answer = await ask(`/accounts/${account}/grants`, body, headers)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
  }
  expect((await ask('/accounts/acct_none/grants', { ...terms, id, by })).body.error.code).toBe('account_not_found')
  expect(sentOf(account)).toEqual([])
})
