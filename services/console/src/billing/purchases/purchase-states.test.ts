import { expect, test } from 'bun:test'
import { InvariantError } from '@filmgate/kit/failure'
import { nextState, type PurchaseEvent, type PurchaseState, purchaseStates } from './purchase-states'

const words: PurchaseEvent[] = ['opened', 'awaited', 'paid', 'mismatched', 'expired', 'failed']

test('every word may come in every state, and money that has come is never forgotten', () => {
  for (const state of purchaseStates)
    for (const word of words) {
      const next = nextState(state, word)
      if (state === 'paid' || state === 'granted' || state === 'review') expect(next).toBe(state)
      else if (word === 'paid') expect(next).toBe('paid')
      else if (word === 'mismatched') expect(next).toBe('review')
      else expect(['open', 'processing', 'expired', 'failed']).toContain(next)
    }
})

test('only what is looked at can be accepted', () => {
  const accepted = (state: PurchaseState) => () => nextState(state, 'accepted')
  expect(accepted('review')()).toBe('paid')
  for (const state of purchaseStates.filter(each => each !== 'review')) expect(accepted(state)).toThrow(InvariantError)
})

test('only what was paid can be granted', () => {
  const granted = (state: PurchaseState) => () => nextState(state, 'granted')
  expect(granted('paid')()).toBe('granted')
  expect(granted('granted')()).toBe('granted')
  for (const state of ['created', 'open', 'processing', 'expired', 'failed', 'review'] as const)
    expect(granted(state)).toThrow(InvariantError)
})
