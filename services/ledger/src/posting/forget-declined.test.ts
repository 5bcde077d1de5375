import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask, type LedgerBooks, ledgerBooks, newId } from '../testing/ledger-books'
import { forgetDeclined } from './forget-declined'

let books: LedgerBooks
beforeAll(async () => {
  books = await ledgerBooks()
})
afterAll(() => books.close())

test('a refusal is forgotten an hour after its admit_by; the request, delivered again, is still refused', async () => {
  const account = newId('acct')
  const { nowMs } = books.clock
  const [early, late] = [ask(account, 1, { admitByMs: nowMs }), ask(account, 1, { admitByMs: nowMs + 1 })]
  await books.post(early, late)
  books.clock.nowMs = nowMs + 3_600_001
  expect(await forgetDeclined(books.deps)).toBe(1)
  await books.post(early, late)
  expect(books.events(account).map(event => event.case === 'creditsDeclined' && [event.value.taskId, event.value.reason])).toEqual([
    [early.taskId, 4],
    [late.taskId, 4],
    [early.taskId, 4],
    [late.taskId, 4],
  ])
})
