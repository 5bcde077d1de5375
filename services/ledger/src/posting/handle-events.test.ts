import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Incoming } from '@filmgate/kit/bus/bus'
import { metricsText } from '@filmgate/kit/telemetry/metrics'
import { taskIdAt } from '@filmgate/proto/task-id'
import type { Instruction } from '../books/instruction'
import { ask, conclude, grant, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'
import { sweepRefunds } from './complete-refunds'
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

/** Samples of a histogram: how many, and how many within a bound. */
async function samples(metric: string, labels: string, le: string): Promise<{ all: number; within: number }> {
  const text = await metricsText()
  const read = (line: string) =>
    Number(
      text
        .split('\n')
        .find(one => one.startsWith(line))
        ?.split(' ')[1] ?? 0,
    )
  const separator = labels && ','
  return {
    all: read(`${metric}_count${labels && `{${labels}}`} `),
    within: read(`${metric}_bucket{${labels}${separator}le="${le}"} `),
  }
}

test('a completion is timed from its POST to its settlement, by provider, and once', async () => {
  const accountId = newId('acct')
  const taskId = taskIdAt(new Date(books.clock.nowMs - 45_000))
  const request = { ...ask(accountId, 60), taskId }
  const completion = { ...conclude('completed', request), provider: 'timed' }
  await handle(grant(accountId, 100), request)
  await handle(completion, completion)
  books.clock.nowMs += 1
  await handle(completion)
  expect(await samples('ledger_completion_seconds', 'provider="timed"', '60')).toEqual({ all: 1, within: 1 })
  expect(await samples('ledger_completion_seconds', 'provider="timed"', '30')).toEqual({ all: 1, within: 0 })
})

test('a refund is timed from its verdict, or from when it became pending where a crash left it', async () => {
  const accountId = newId('acct')
  const [told, left] = [ask(accountId, 10), ask(accountId, 10)]
  await handle(grant(accountId, 100), told, left)
  const before = await samples('ledger_refund_seconds', '', '30')
  const verdict = { ...conclude('failed', told), verdictAtMs: books.clock.nowMs - 40_000 }
  await handle(verdict)
  await handle(verdict)
  expect(await samples('ledger_refund_seconds', '', '30')).toEqual({ all: before.all + 1, within: before.within })
  await books.post(conclude('failed', left))
  books.clock.nowMs += 20_000
  await sweepRefunds(books.deps)
  expect(await samples('ledger_refund_seconds', '', '30')).toEqual({ all: before.all + 2, within: before.within + 1 })
})

test('credits that move are counted by why, and those that were earned, once', async () => {
  const accountId = newId('acct')
  const [paid, refused] = [ask(accountId, 30), ask(accountId, 20)]
  const kinds = ['grant', 'reserve', 'settle', 'refund']
  const read = async () => {
    const text = await metricsText()
    const series = [...kinds.map(kind => `ledger_credits_moved_total{kind="${kind}"} `), '\nledger_credits_earned_total ']
    return series.map(name => Number(text.split(name)[1]?.split('\n')[0] ?? 0))
  }
  const before = await read()
  await handle(grant(accountId, 100), paid, refused)
  for (let delivery = 0; delivery < 2; delivery++) await handle(conclude('completed', paid), conclude('refused', refused))
  expect((await read()).map((value, place) => value - (before[place] ?? 0))).toEqual([100, 50, 30, 20, 30])
})
