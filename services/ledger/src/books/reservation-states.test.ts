import { expect, test } from 'bun:test'
import { type Cause, nextState, recordedCause, type State } from './reservation-states'

const states: State[] = ['reserved', 'review', 'refund_pending', 'settled', 'refunded']
const causes: Cause[] = ['uncertain', 'completed', 'refused', 'failed']

/** The transitions of the contract, and nothing else. */
const legal: Record<State, State[]> = {
  reserved: ['review', 'settled', 'refund_pending'],
  review: ['settled', 'refund_pending'],
  refund_pending: ['refunded'],
  settled: [],
  refunded: [],
}

const outcome = (state: State, cause: Cause) => {
  try {
    return nextState(state, cause)
  } catch {
    return 'illegal'
  }
}

test('a reservation moves only as the contract says, and reaches every state the contract names', () => {
  for (const state of states) {
    const reached = [...causes, 'refund_due' as const].map(cause => outcome(state, cause)).filter(to => states.includes(to as State))
    expect([state, [...new Set(reached)].sort()]).toEqual([state, [...legal[state]].sort()])
  }
})

test('what has ended stays ended, whatever is heard', () => {
  for (const state of ['settled', 'refunded'] as const) {
    for (const cause of causes) expect(['stale', 'contradiction']).toContain(outcome(state, cause))
  }
})

test('a verdict heard twice is stale, the opposite verdict is a contradiction', () => {
  expect([outcome('settled', 'completed'), outcome('refunded', 'refused'), outcome('refund_pending', 'refused')]).toEqual([
    'stale',
    'stale',
    'stale',
  ])
  expect([outcome('settled', 'refused'), outcome('refunded', 'completed'), outcome('refund_pending', 'completed')]).toEqual([
    'contradiction',
    'contradiction',
    'contradiction',
  ])
})

test('a refund that nobody decided is a mistake of ours and stops', () => {
  for (const state of ['reserved', 'review', 'settled'] as const) expect(() => nextState(state, 'refund_due')).toThrow('never hears')
})

test('a failure does to a reservation what a refusal does, and is recorded as one', () => {
  for (const state of states) expect(outcome(state, 'failed')).toBe(outcome(state, 'refused'))
  expect((['refused', 'failed', 'completed'] as const).map(recordedCause)).toEqual(['refused', 'refused', 'completed'])
})
