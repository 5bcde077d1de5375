import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Incoming } from '@filmgate/kit/bus/bus'
import { metricsText } from '@filmgate/kit/telemetry/metrics'
import type { Instruction } from '../books/instruction'
import { ask, conclude, grant, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'
import { handleEvents } from './handle-events'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
})
afterAll(() => books.close())

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const incoming = (event: Instruction | undefined): Incoming<Instruction | undefined> => ({
  topic: 't',
  partition: 0,
  offset: '0',
  key: event?.accountId ?? '',
  event,
  eventId: crypto.randomUUID(),
  traceparent,
  timestampMs: 0,
})
const handle = (...events: (Instruction | undefined)[]) => handleEvents(books.deps, events.map(incoming))
const cases = (accountId: string) => books.events(accountId).map(event => event.case)

test('a refusal is pending and then refunded at once, each told with the trace of the verdict', async () => {
  const accountId = newId('acct')
  const request = ask(accountId, 60)
  await handle(grant(accountId, 100), request)
  await handle(conclude('refused', request))
  expect(await books.balance(accountId)).toMatchObject({ available: 100, unfinished: 0 })
  expect(cases(accountId)).toEqual([
    'creditsChangeDecided',
    'creditsReserved',
    'balanceChanged',
    'refundPending',
    'creditsRefunded',
    'balanceChanged',
  ])
  expect(new Set(books.published.filter(({ key }) => key === accountId).map(({ headers }) => headers?.traceparent))).toEqual(
    new Set([traceparent]),
  )
})

test('a verdict delivered again completes the refund that a crash left pending', async () => {
  const accountId = newId('acct')
  const request = ask(accountId, 60)
  await handle(grant(accountId, 100), request)
  await books.post(conclude('refused', request))
  await handle(conclude('refused', request))
  expect(await books.balance(accountId)).toMatchObject({ available: 100, unfinished: 0 })
})

test('events that move no credits cost no transaction', async () => {
  const before = books.published.length
  await handle(undefined, undefined)
  expect(books.published.length).toBe(before)
})

test('a contradiction is counted', async () => {
  const request = ask(newId('acct'), 60)
  await handle(conclude('completed', request))
  expect(await metricsText()).toContain('ledger_contradictions_total{verdict="completed",state="none"} 1')
})

test('a failure that contradicts the books is counted as a refusal', async () => {
  const request = ask(newId('acct'), 60)
  await handle(conclude('failed', request))
  const metrics = await metricsText()
  expect(metrics).toContain('ledger_contradictions_total{verdict="refused",state="none"} 1')
  expect(metrics).not.toContain('verdict="failed"')
})
