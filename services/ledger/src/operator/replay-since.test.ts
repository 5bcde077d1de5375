import { afterAll, beforeAll, expect, test } from 'bun:test'
import { create, toBinary } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { Surface } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { RequestsEventSchema } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { taskIdAt } from '@filmgate/proto/task-id'
import type { Instruction } from '../books/instruction'
import { completeRefunds } from '../posting/complete-refunds'
import { readRequest } from '../posting/read-event'
import { conclude, grant, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'
import { replayChanges, replayTasks } from './replay-since'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks({ unfinishedTasksMax: 2 })
})
afterAll(() => books.close())

let made = 0
/** As the gateway sends it. */
function requested(accountId: string, credits: number, held?: { starter?: bigint; ended?: boolean }, taskId?: string): Instruction {
  const id = taskId ?? taskIdAt(new Date(books.clock.nowMs + made++))
  const order = {
    ...{ taskId: id, accountId, keyId: 'key_1', surface: Surface.API, credits: BigInt(credits), priceVersion: 'p1', prompt: 'a cat' },
    ...{ createdAt: timestampFromMs(books.clock.nowMs), admitBy: timestampFromMs(books.clock.nowMs + (held ? -1 : 250_000)) },
  }
  const value = {
    order,
    idempotencyKey: `order-${id}`,
    fingerprint: new Uint8Array([7, 7]),
    tags: { project: 'spring' },
    ...(held && { held }),
  }
  const instruction = readRequest(
    toBinary(RequestsEventSchema, create(RequestsEventSchema, { event: { case: 'generationRequested', value } })),
  )
  if (!instruction) throw new Error('no request')
  return instruction
}
const idOf = (one: Instruction) => ('taskId' in one ? one.taskId : '')

const since = () => ({ since: new Date(books.clock.nowMs), after: '' })
const eventsAfter = (accountId: string, count: number) => books.events(accountId).slice(count)

test('a task is published with its Idempotency-Key and fingerprint: whole while it is open, without its prompt once it has ended', async () => {
  const account = newId('acct')
  const [open, ended] = [requested(account, 40), requested(account, 10)]
  await books.post(grant(account, 100), open, ended)
  await books.post(conclude('completed', { accountId: account, taskId: idOf(ended) }))
  const before = books.events(account).length
  expect(await replayTasks(books.deps, since())).toEqual({ rows: 2, next: null })
  const events = eventsAfter(account, before)
  expect(events.map(event => event.case)).toEqual(['taskRecorded', 'creditsReserved', 'taskRecorded', 'creditsSettled', 'balanceChanged'])
  const key = (id: string) => ({ idempotencyKey: `order-${id}`, fingerprint: new Uint8Array([7, 7]), tags: { project: 'spring' } })
  expect(events[0]?.value).toMatchObject({ open: true, available: 60n, request: { ...key(idOf(open)), order: { prompt: 'a cat' } } })
  expect(events[2]?.value).toMatchObject({
    open: false,
    request: { ...key(idOf(ended)), order: { prompt: '', credits: 10n, keyId: 'key_1' } },
  })
})

test('grants and debits since then are published again and move nothing', async () => {
  const account = newId('acct')
  await books.post(grant(account, 100))
  const before = books.events(account).length
  await replayChanges(books.deps, since())
  expect(eventsAfter(account, before)).toMatchObject([{ case: 'creditsChangeDecided', value: { applied: true, credits: 100n } }])
  expect(await books.balance(account)).toMatchObject({ available: 100 })
})

test('credits that restored books no longer hold are held again, past admit_by and above the limit, and settled by the verdict', async () => {
  const account = newId('acct')
  const lost = Array.from({ length: 3 }, () => requested(account, 30, { starter: 0n }))
  await books.post(grant(account, 100), ...lost)
  expect(await books.balance(account)).toMatchObject({ available: 10, unfinished: 3 })
  // What the gateway says twice is held once.
  await books.post(...lost)
  expect(await books.balance(account)).toMatchObject({ available: 10, unfinished: 3 })
  await books.post(...lost.map(one => conclude('completed', { accountId: account, taskId: idOf(one) })))
  expect(await books.findings()).toEqual([])
})

test('a task that has ended is held again without an order for anybody to go on from', async () => {
  const account = newId('acct')
  const ended = requested(account, 30, { starter: 0n, ended: true })
  await books.post(grant(account, 100))
  const before = books.events(account).length
  await books.post(ended)
  expect(eventsAfter(account, before).map(event => event.case)).toEqual(['balanceChanged'])
  await books.post(conclude('refused', { accountId: account, taskId: idOf(ended) }))
  await completeRefunds(books.deps, [{ accountId: account, taskId: idOf(ended) }])
  expect(await books.balance(account)).toMatchObject({ available: 100, unfinished: 0 })
})

test('what the balance lacks for it is owed: nothing is made up, and the next grant repays it', async () => {
  const account = newId('acct')
  await books.post(grant(account, 10), requested(account, 30, { starter: 0n, ended: true }))
  expect(await books.balance(account)).toMatchObject({ available: 0, owed: 20 })
  await books.post(requested(account, 5, { starter: 0n, ended: true }))
  expect(await books.balance(account)).toMatchObject({ available: 0, owed: 25 })
  await books.post(grant(account, 100))
  expect(await books.balance(account)).toMatchObject({ available: 75, owed: 0 })
  expect(await books.findings()).toEqual([])
})
