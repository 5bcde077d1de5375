import { expect, test } from 'bun:test'
import { type ChangeTerms, sameTerms, wordsOf } from './credit-change'

const debit: ChangeTerms = {
  id: 'd-1',
  kind: 'debit',
  accountId: 'acct_1',
  balance: 'paid',
  credits: 40,
  reason: 'refund re_1 is succeeded',
}

test.each<Partial<ChangeTerms>>([
  { kind: 'grant' },
  { accountId: 'acct_2' },
  { balance: 'starter' },
  { credits: 41 },
  { reason: 'another' },
  { beyondBalance: true },
])('a change with %j is another one, in either order, and its words say so', terms => {
  const other = { ...debit, ...terms }
  expect([sameTerms(debit, other), sameTerms(other, debit)]).toEqual([false, false])
  expect(wordsOf(other)).not.toBe(wordsOf(debit))
})

test('a debit that says nothing of the balance is one within it', () => {
  expect(sameTerms(debit, { ...debit, beyondBalance: false })).toBe(true)
})
