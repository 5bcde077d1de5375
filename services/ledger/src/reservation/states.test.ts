import { expect, test } from 'bun:test'
import { type Heard, move, type State } from './states'

const states: State[] = ['reserved', 'review', 'refund_pending', 'settled', 'refunded']
const verdicts: Heard[] = ['uncertain', 'completed', 'refused']

/** The transitions of the contract, and nothing else. */
const legal: Record<State, State[]> = {
  reserved: ['review', 'settled', 'refund_pending'],
  review: ['settled', 'refund_pending'],
  refund_pending: ['refunded'],
  settled: [],
  refunded: [],
}

const outcome = (state: State, heard: Heard) => {
  try {
    return move(state, heard)
  } catch {
    return 'illegal'
  }
}

test('a reservation moves only as the contract says, and reaches every state the contract names', () => {
  for (const state of states) {
    const reached = [...verdicts, 'refund_due' as const].map(heard => outcome(state, heard)).filter(to => states.includes(to as State))
    expect([state, [...new Set(reached)].sort()]).toEqual([state, [...legal[state]].sort()])
  }
})

test('what has ended stays ended, whatever is heard', () => {
  for (const state of ['settled', 'refunded'] as const) {
    for (const heard of verdicts) expect(['stale', 'contradiction']).toContain(outcome(state, heard))
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
  for (const state of ['reserved', 'review', 'settled'] as const) expect(() => move(state, 'refund_due')).toThrow('never hears')
})
