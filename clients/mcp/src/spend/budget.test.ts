import { expect, test } from 'bun:test'
import { createBudget } from './budget.ts'

const task = (id: string, changes = {}) => ({ id, status: 'processing', credits_used: 4, credits_refunded: 0, ...changes })

test('what is held at once never passes the budget; a refusal frees it, and a task’s own cost replaces it', () => {
  const budget = createBudget({ credits: 10 })
  expect(['a', 'b', 'c'].map(key => budget.hold(key, 4))).toEqual([true, true, false])
  budget.release('b')
  budget.settle('a', task('vt_1', { credits_used: 3 }))
  expect([budget.spent(), budget.left()]).toEqual([3, 7])
  expect([budget.hold('c', 8), budget.hold('c', 7), budget.left()]).toEqual([false, true, 0])
})

test('a key holds once, and keeps its price for retries; what has a task is not released', () => {
  const budget = createBudget({ credits: 10 })
  expect([budget.hold('a', 4), budget.hold('a', 4), budget.left(), budget.priceOf('a')]).toEqual([true, true, 6, 4])
  budget.settle('a', task('vt_1', { credits_used: 3 }))
  budget.release('a')
  expect([budget.left(), budget.priceOf('a'), budget.priceOf('b')]).toEqual([7, 4, undefined])
})

test('a refund gives back once its task is seen, and only of tasks of this budget', () => {
  const budget = createBudget({ credits: 10 })
  budget.hold('a', 4)
  budget.settle('a', task('vt_1'))
  budget.saw(task('vt_other', { status: 'failed', credits_refunded: 4, billing_status: 'refunded' }))
  expect([budget.left(), budget.open().map(({ taskId }) => taskId)]).toEqual([6, ['vt_1']])
  budget.saw(task('vt_1', { status: 'failed', credits_refunded: 4, billing_status: 'refunded' }))
  expect([budget.left(), budget.open()]).toEqual([10, []])
})

test('a key whose task gave all back is held anew, so that a second task of it does not pass the budget', () => {
  const budget = createBudget({ credits: 10 })
  budget.hold('k', 10)
  budget.settle('k', task('vt_1', { status: 'failed', credits_used: 10, credits_refunded: 10, billing_status: 'refunded' }))
  expect([budget.hold('l', 10), budget.hold('k', 10), budget.spent()]).toEqual([true, false, 10])
  budget.release('l')
  expect([budget.hold('k', 10), budget.hold('l', 1), budget.left()]).toEqual([true, false, 0])
  budget.release('k')
  expect([budget.left(), budget.open()]).toEqual([10, []])
})

test('a task that turns up under a key that was released is counted', () => {
  const budget = createBudget({ credits: 10 })
  budget.hold('a', 4)
  budget.release('a')
  expect([budget.counts('a'), budget.priceOf('a')]).toEqual([false, 4])
  budget.settle('a', task('vt_1'))
  expect([budget.counts('a'), budget.left()]).toEqual([true, 6])
})

test('a request whose answer was lost holds its price until its outcome is known', () => {
  let now = 0
  const budget = createBudget({ credits: 10, now: () => now })
  budget.hold('a', 4)
  now = 5_000
  expect([budget.left(), budget.open()]).toEqual([6, [{ key: 'a', taskId: undefined, heldMs: 5_000 }]])
})
