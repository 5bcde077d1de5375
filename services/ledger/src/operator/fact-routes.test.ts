import { afterAll, beforeAll, expect, test } from 'bun:test'
import { renderError } from '@filmgate/kit/http/render-error'
import { testLog } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { reasons } from '../errors'
import { ask, conclude, debit, grant, type LedgerBooks, ledgerBooks, newId, open } from '../testing/ledger-books'
import { factRoutes } from './fact-routes'

let books: LedgerBooks
let app: { handle(request: Request): Promise<Response> }
beforeAll(async () => {
  books = await ledgerBooks()
  app = new Elysia({ normalize: false }).use(renderError(testLog, reasons)).use(factRoutes({ sql: books.deps.sql }))
})
afterAll(() => books.close())

async function list(path: string) {
  const response = await app.handle(new Request(`http://ledger/facts/${path}`))
  const body = (await response.json()) as { data?: Record<string, unknown>[] }
  return { status: response.status, data: body.data ?? [] }
}

test('reservations, balances, grants and debits are listed as the books have them, in pages of ids', async () => {
  const [accountId, ended, held] = [newId('acct'), `vt_1${crypto.randomUUID()}`, `vt_2${crypto.randomUUID()}`]
  await books.post(open(accountId))
  await books.post(grant(accountId, 100, 'paid', `${accountId}:a`))
  await books.post(debit(accountId, 500, 'paid', `${accountId}:b`))
  await books.post(ask(accountId, 30, { taskId: ended }))
  await books.post(ask(accountId, 20, { taskId: held }))
  await books.post(conclude('completed', { accountId, taskId: ended }, 25))

  const same = { account_id: accountId, changed_at: expect.any(String) }
  const [first, second] = [
    { ...same, task_id: ended, state: 'settled', credits: 30, refunded: 5 },
    { ...same, task_id: held, state: 'reserved', credits: 20, refunded: 0 },
  ]
  expect(await list('reservations')).toEqual({ status: 200, data: [first, second] })
  expect((await list('reservations?limit=1')).data).toEqual([first])
  expect((await list(`reservations?after=${ended}`)).data).toEqual([second])
  expect((await list(`reservations?through=${ended}`)).data).toEqual([first])
  expect((await list(`reservations?id=${held}`)).data).toEqual([second])

  const version = expect.any(Number)
  expect((await list('balances')).data).toEqual([
    { ...same, available: 55, starter: 0, owed: 0, balance_version: version, starter_version: version },
  ])

  const change = { ...same, balance: 'paid', created_at: expect.any(String) }
  const [granted, refused] = [
    { ...change, id: `${accountId}:a`, kind: 'grant', credits: 100, state: 'applied' },
    { ...change, id: `${accountId}:b`, kind: 'debit', credits: 500, state: 'declined' },
  ]
  expect((await list('credit-changes?since=2020-01-01T00:00:00Z')).data).toEqual([granted, refused])
  expect((await list(`credit-changes?after=${encodeURIComponent(`${accountId}:a`)}`)).data).toEqual([refused])
  expect((await list('credit-changes?since=2100-01-01T00:00:00Z')).data).toEqual([])
})

test.each(['limit=0', 'limit=1001', 'limit=x', 'id=a&id=b', 'from=a', 'since=2026-01-01T00:00:00Z', 'after=%00', `id=${'x'.repeat(201)}`])(
  'the query %p is refused',
  async query => {
    expect((await list(`reservations?${query}`)).status).toBe(400)
  },
)
test.each(['yesterday', '2026-13-01T00:00:00Z', ''])('since %p is refused', async since => {
  expect((await list(`credit-changes?since=${since}`)).status).toBe(400)
})
