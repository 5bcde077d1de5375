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
  expect(() => throwIfRefused(declined, new Date())).toThrow(
    expect.objectContaining({
      reason: 'generation_unavailable',
      options: { message: 'The generation could not be started in time. Nothing was charged.', retryAfterSeconds: 10 },
    }),
  )
})

const now = new Date('2026-11-25T12:00:00.000Z')
const review = (seconds: number) => ({
  task_id: `vt_${seconds}`,
  billing_status: 'review',
  until: new Date(now.getTime() + seconds * 1_000).toISOString(),
})
const running = { task_id: 'vt_running', billing_status: 'reserved' }

test.each([
  ['a version before named nothing', undefined, 10],
  ['all are running', [running, running, running], 10],
  ['one stops counting sooner', [review(3), running, running], 3],
  ['one stops counting later', [review(300), running, running], 10],
  ['all are in review', [review(40), review(90), review(90)], 40],
  ['all are in review for long', [review(3_000), review(3_000), review(3_000)], 60],
  ['one has stopped counting since', [review(-5), running, running], 1],
])('a client at its limit is told to wait no longer than makes sense: %s', (_, unfinished, retryAfterSeconds) => {
  const errorDetails = unfinished ? { unfinished } : null
  const declined = { phase: 'declined', errorCode: 'unfinished_task_limit', errorDetails } as Task
  expect(() => throwIfRefused(declined, now)).toThrow(
    expect.objectContaining({
      reason: 'unfinished_task_limit',
      options: { ...(errorDetails && { details: errorDetails }), retryAfterSeconds },
    }),
  )
})
