import { expect, test } from 'bun:test'
import { type BillingStatus, type Phase, phases, type Task } from '../tasks/task'
import { admissionOver, throwIfRefused } from './answer'

const billings: (BillingStatus | null)[] = [null, 'reserved', 'review', 'refund_pending', 'refunded', 'settled']

/** Beside which billing status a task of each phase can be shown to the client that waits for it. */
const over: Record<Phase, (BillingStatus | null)[]> = {
  admitting: [],
  declined: billings,
  refused: ['refund_pending', 'refunded'],
  uncertain: ['reserved', 'review', 'refund_pending', 'refunded', 'settled'],
  accepted: ['reserved', 'review', 'refund_pending', 'refunded', 'settled'],
  copying: ['reserved', 'review', 'refund_pending', 'refunded', 'settled'],
  completed: ['reserved', 'review', 'refund_pending', 'refunded', 'settled'],
  failed: ['reserved', 'review', 'refund_pending', 'refunded', 'settled'],
}

test.each(Object.keys(phases) as Phase[])('a POST whose task is %s is answered once its credits are known too', phase => {
  expect(billings.filter(billingStatus => admissionOver({ phase, billingStatus }))).toEqual(
    billings.filter(one => over[phase].includes(one)),
  )
})

test('a request that was refused before credits were reserved is not told that they come back', () => {
  const declined = { phase: 'declined', errorCode: 'generation_unavailable', errorDetails: null } as Task
  expect(() => throwIfRefused(declined)).toThrow(
    expect.objectContaining({
      reason: 'generation_unavailable',
      options: { message: 'The generation could not be started in time. Nothing was charged.', retryAfterSeconds: 10 },
    }),
  )
})
