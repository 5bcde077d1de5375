import { expect, test } from 'bun:test'
import type { Attempt, KnownCost, State } from './attempt'
import { type Columns, checkTransition, costOfEnd } from './transition'

const states: State[] = ['sending', 'unknown', 'accepted', 'overdue', 'copying', 'refused', 'completed', 'failed']
const allowed = (from: State) =>
  states.filter(to => {
    try {
      checkTransition(from, to)
      return true
    } catch {
      return false
    }
  })

test('an attempt moves forward, and out of an end nowhere', () => {
  expect(Object.fromEntries(states.map(state => [state, allowed(state)]))).toEqual({
    sending: ['unknown', 'accepted', 'refused'],
    unknown: ['accepted', 'refused'],
    accepted: ['overdue', 'copying', 'failed'],
    overdue: ['copying', 'failed'],
    copying: ['completed', 'failed'],
    refused: [],
    completed: [],
    failed: [],
  })
})

const costWhere = (to: State, known: KnownCost, columns: Columns = {}, state: State = 'accepted') =>
  costOfEnd({ attempt: { state, ...known } as Attempt, columns, to })

test('the cost of an end is what its provider told, else the list price of a video that was made', () => {
  expect(costWhere('copying', { listedMicroUsd: 90 }, { billedMicroUsd: 70 })).toEqual({ microUsd: 70, basis: 'told' })
  expect(costWhere('copying', { billedMicroUsd: 60, listedMicroUsd: 90 })).toEqual({ microUsd: 60, basis: 'told' })
  expect(costWhere('copying', { unitMicroUsd: 300 }, { billedMicroUnits: 2_500_000 })).toEqual({ microUsd: 750, basis: 'told' })
  expect(costWhere('failed', {}, { billedMicroUnits: 0 })).toEqual({ microUsd: 0, basis: 'told' })
  expect(costWhere('copying', { listedMicroUsd: 90 })).toEqual({ microUsd: 90, basis: 'listed' })
})

test('no cost is made up: of units without a price, of what failed untold, and of what is counted already', () => {
  expect(costWhere('copying', {}, { billedMicroUnits: 5 })).toBeUndefined()
  expect(costWhere('failed', { listedMicroUsd: 90 })).toBeUndefined()
  expect(costWhere('failed', { billedMicroUsd: 60 }, {}, 'copying')).toBeUndefined()
  expect(costWhere('completed', { billedMicroUsd: 60 }, {}, 'copying')).toBeUndefined()
})
