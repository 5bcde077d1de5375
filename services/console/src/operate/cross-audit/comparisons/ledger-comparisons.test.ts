import { expect, test } from 'bun:test'
import type { BalanceFact, ChangeFact, ReservationFact, TaskFact } from '@filmgate/proto/operator/facts'
import { compareBalances } from './balances'
import type { Difference } from './comparison'
import { compareChange, comparePayment } from './credit-changes'
import { compareTask } from './tasks-and-reservations'

const period = { since: new Date('2026-11-20T00:00:00Z'), until: new Date('2026-11-21T00:00:00Z') }
const [settled, moving] = ['2026-11-20T12:00:00.000Z', '2026-11-21T00:00:01.000Z']
const checks = (found: Difference[]) => found.map(({ check }) => check)

const task: TaskFact = {
  ...{ task_id: 'vt_1', account_id: 'a1', phase: 'completed', billing_status: 'settled', credits_used: 40, credits_refunded: 5 },
  ...{ deleted: false, changed_at: settled },
}
const reservation: ReservationFact = { task_id: 'vt_1', account_id: 'a1', state: 'settled', credits: 40, refunded: 5, changed_at: settled }

test('a task that the ledger has alike is no difference', () => {
  expect(compareTask({ left: task, right: reservation }, period)).toEqual([])
})

test('a lost task or reservation is named with what the other service has, and what to do', () => {
  expect(compareTask({ right: reservation }, period)).toEqual([
    {
      check: 'task_missing',
      subject: 'vt_1',
      detail: 'the ledger has it settled with 40 credits, 5 refunded, the gateway has no task of this id',
      act: 'ops task replay vt_1',
    },
  ])
  expect(checks(compareTask({ left: task }, period))).toEqual(['reservation_missing'])
  expect(compareTask({ left: { ...task, phase: 'admitting', billing_status: null, credits_used: 0 } }, period)).toMatchObject([
    { check: 'reservation_missing', act: 'ops task replay vt_1' },
  ])
})

test('a task that was declined before its reservation, or that still moves, is no difference', () => {
  expect(compareTask({ left: { ...task, phase: 'declined', billing_status: null } }, period)).toEqual([])
  expect(compareTask({ left: { ...task, changed_at: moving } }, period)).toEqual([])
  for (const [left, right] of [
    [task, { ...reservation, state: 'reserved', changed_at: moving }],
    [{ ...task, billing_status: 'reserved', changed_at: moving }, reservation],
  ] as const)
    expect(compareTask({ left, right }, period)).toEqual([])
})

test.each([{ state: 'refunded' }, { credits: 41 }, { refunded: 0 }])('a reservation with %o differs from its task', change => {
  expect(compareTask({ left: task, right: { ...reservation, ...change } }, period)).toMatchObject([
    { check: 'task_credits_differ', subject: 'vt_1', act: 'ops task replay vt_1' },
  ])
})

test('a task of another account differs', () => {
  expect(checks(compareTask({ left: task, right: { ...reservation, account_id: 'a2' } }, period))).toEqual(['task_account_differs'])
})

const copy: BalanceFact = {
  ...{ account_id: 'a1', available: 100, starter: 3, owed: 0, balance_version: 7, starter_version: 7, changed_at: settled },
}

test('balances that are alike, or on their way, are no difference', () => {
  expect(compareBalances({ left: { ...copy, starter_version: null }, right: copy }, period)).toEqual([])
  const later = { ...copy, available: 60, starter: 1, balance_version: 9, starter_version: 9, changed_at: moving }
  expect(compareBalances({ left: copy, right: later }, period)).toEqual([])
  // The reservation of starter credits raises the version, and the paid balance stays.
  expect(compareBalances({ left: { ...copy, starter_version: 6 }, right: { ...copy, changed_at: null } }, period)).toEqual([])
  for (const one of [{ left: { ...copy, changed_at: moving } }, { right: { ...copy, changed_at: moving } }])
    expect(compareBalances(one, period)).toEqual([])
})

test('a balance above the version of the books differs at once, whatever its credits', () => {
  for (const ahead of [{ balance_version: 8 }, { starter_version: 8 }])
    expect(checks(compareBalances({ left: { ...copy, ...ahead }, right: { ...copy, changed_at: moving } }, period))).toEqual([
      'balance_ahead',
    ])
})

test.each([{ available: 99 }, { starter: 2 }, { owed: 1 }])('a copy with %o differs from settled books', change => {
  expect(checks(compareBalances({ left: { ...copy, ...change }, right: copy }, period))).toEqual(['balance_differs'])
})

test('a paid balance of the same version differs while the account moves', () => {
  expect(checks(compareBalances({ left: { ...copy, available: 99 }, right: { ...copy, changed_at: moving } }, period))).toEqual([
    'balance_differs',
  ])
})

test('an account that one of both lacks is named', () => {
  expect(compareBalances({ right: copy }, period)).toMatchObject([{ check: 'account_missing', subject: 'a1' }])
  expect(compareBalances({ left: copy }, period)).toMatchObject([{ check: 'books_missing', subject: 'a1' }])
})

const change: ChangeFact = {
  ...{ id: 'c1', account_id: 'a1', kind: 'grant', balance: 'paid', credits: 500, state: 'applied' },
  ...{ created_at: settled, changed_at: settled },
}
const declined = { ...change, kind: 'debit', state: 'declined' }

test('a grant or debit that both have alike, or that was declined, is no difference', () => {
  expect(compareChange({ left: change, right: change }, period)).toEqual([])
  expect(compareChange({ left: declined, right: declined }, period)).toEqual([])
  expect(compareChange({ left: declined }, period)).toEqual([])
  expect(compareChange({ left: declined, right: change }, period)).toEqual([])
})

test('a grant or debit outside the period, or on its way, is no difference', () => {
  const [before, after] = [{ created_at: '2026-11-19T12:00:00Z' }, { changed_at: moving }]
  for (const one of [before, after]) {
    expect(compareChange({ left: { ...change, ...one } }, period)).toEqual([])
    expect(compareChange({ right: { ...change, ...one } }, period)).toEqual([])
  }
  expect(compareChange({ left: { ...change, state: 'pending' }, right: { ...change, changed_at: moving } }, period)).toEqual([])
})

test('a grant or debit that one of both lacks, or has with other terms, is named', () => {
  expect(compareChange({ left: change }, period)).toMatchObject([{ check: 'change_missing', subject: 'c1' }])
  expect(compareChange({ left: { ...change, state: 'pending' } }, period)).toMatchObject([
    { act: 'ask for it again with this id: ops account grant a1 --id c1 …' },
  ])
  expect(compareChange({ right: change }, period)).toMatchObject([{ check: 'change_unknown', subject: 'c1' }])
  for (const right of [
    { ...change, credits: 501 },
    { ...change, account_id: 'a2' },
    { ...change, state: 'declined' },
  ])
    expect(checks(compareChange({ left: change, right }, period))).toEqual(['change_differs'])
  expect(checks(compareChange({ left: { ...declined }, right: { ...declined, state: 'applied' } }, period))).toEqual(['change_differs'])
})

test('what a payment asked for and the ledger booked is alike, and what waits or was refused is no difference', () => {
  const payment = { ...change, id: 'stripe:pi_1' }
  expect(comparePayment({ left: payment, right: payment }, period)).toEqual([])
  for (const state of ['pending', 'refused']) {
    expect(comparePayment({ left: { ...payment, state } }, period)).toEqual([])
    expect(comparePayment({ left: { ...payment, state }, right: { ...payment, state: 'declined' } }, period)).toEqual([])
  }
  expect(comparePayment({ right: { ...payment, changed_at: moving } }, period)).toEqual([])
  // An operator's grant is none of the console's.
  expect(comparePayment({ right: change }, period)).toEqual([])
})

test('a payment that one of both lacks, or that was booked otherwise, is named', () => {
  const payment = { ...change, id: 'stripe:pi_1' }
  expect(comparePayment({ left: payment }, period)).toMatchObject([{ check: 'payment_not_booked', subject: 'stripe:pi_1' }])
  expect(comparePayment({ right: payment }, period)).toMatchObject([{ check: 'payment_unknown' }])
  for (const right of [
    { ...payment, credits: 501 },
    { ...payment, state: 'declined' },
  ])
    expect(checks(comparePayment({ left: payment, right }, period))).toEqual(['payment_differs'])
  expect(checks(comparePayment({ left: { ...payment, state: 'pending' }, right: payment }, period))).toEqual(['payment_differs'])
})
