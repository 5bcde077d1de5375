import { expect, test } from 'bun:test'
import { followsStatus, isMoneyOut, isReversalStatus, type ReversalKind } from './reversal-status'

/** Written by hand from Stripe's documentation: the statuses in their order. */
const orders: Record<ReversalKind, string[][]> = {
  refund: [['pending', 'requires_action'], ['succeeded'], ['canceled', 'failed']],
  dispute: [
    ['warning_needs_response'],
    ['warning_under_review'],
    ['warning_closed'],
    ['needs_response'],
    ['under_review'],
    ['prevented', 'prevented_paid_back', 'lost'],
    ['appeal_needs_response'],
    ['appeal_under_review'],
    ['won'],
  ],
}
const kinds = Object.keys(orders) as ReversalKind[]

test.each([
  ['refund', ['pending', 'requires_action', 'succeeded'], ['canceled', 'failed']],
  [
    'dispute',
    ['needs_response', 'under_review', 'prevented_paid_back', 'lost', 'appeal_needs_response', 'appeal_under_review'],
    ['warning_needs_response', 'warning_under_review', 'warning_closed', 'prevented', 'won'],
  ],
] as [ReversalKind, string[], string[]][])(
  'the money of a %s is out while Stripe or the bank holds it or the customer has it',
  (kind, out, back) => {
    expect(out.filter(status => !isMoneyOut(kind, status))).toEqual([])
    expect(back.filter(status => isMoneyOut(kind, status))).toEqual([])
    expect([...out, ...back].toSorted()).toEqual(orders[kind].flat().toSorted())
  },
)

test('what is told late never takes back what was told before: each status follows all of the places before its own', () => {
  for (const kind of kinds)
    for (const [place, statuses] of orders[kind].entries())
      for (const status of statuses)
        for (const [otherPlace, others] of orders[kind].entries())
          for (const other of others)
            expect(`${other} to ${status}: ${Math.sign(followsStatus(kind, other, status))}`).toBe(
              `${other} to ${status}: ${Math.sign(place - otherPlace)}`,
            )
})

test('a status that Stripe has for the other kind, or for none, is none', () => {
  expect([isReversalStatus('refund', 'won'), isReversalStatus('dispute', 'succeeded'), isReversalStatus('dispute', 'unheard_of')]).toEqual([
    false,
    false,
    false,
  ])
  expect([isMoneyOut('refund', 'lost'), isMoneyOut('dispute', 'pending')]).toEqual([false, false])
})
