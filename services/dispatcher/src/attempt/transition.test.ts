import { expect, test } from 'bun:test'
import type { State } from './attempt'
import { checkTransition } from './transition'

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
