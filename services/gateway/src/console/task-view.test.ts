import { expect, test } from 'bun:test'
import { storyEventView } from './task-view'

const summaryOf = (kind: string, details = {}) => storyEventView({ at: new Date(), kind, details }).summary

test('a settlement in part says that the rest is returned', () => {
  expect(summaryOf('creditsSettled', { billingStatus: 'settled' })).toBe('The credits are charged')
  expect(summaryOf('creditsSettled', { creditsRefunded: 24 })).toBe('What was delivered is charged; the rest of the credits is returned')
})

test('a story tells which attempt it was from the second on, and names no provider', () => {
  expect(summaryOf('generationAccepted')).toBe('A provider accepted the generation')
  expect(summaryOf('generationAccepted', { attemptNumber: 1 })).toBe('A provider accepted the generation')
  expect(summaryOf('generationAccepted', { attemptNumber: 3 })).toBe('A provider accepted the generation (attempt 3)')
  expect(summaryOf('generationRefused', { attemptNumber: 2 })).toBe('The generation was refused before a provider took it (attempt 2)')
})
