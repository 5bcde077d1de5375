import { expect, test } from 'bun:test'
import type { ConsoleTask } from './task-repository'
import { storyEventView, storyEventViews, waitingOf } from './task-view'

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

const at = new Date('2026-11-20T10:00:00Z')
const until = '2026-11-20T12:00:00.000Z'
const accepted = { kind: 'generationAccepted', at, details: { heldAfter: until } }
const copying = { kind: 'generationProgressed', at, details: { phase: 'copying' } }
const later = '2026-11-20T10:15:00.000Z'
const missing = (waitingFor: string) => ({ kind: 'generationProgressed', at, details: { waitingFor, heldAfter: later } })
const percent = { kind: 'generationProgressed', at, details: { phase: 'accepted', percent: 40 } }
const taskIn = (phase: string, billingStatus = 'reserved') => ({ phase, billingStatus, admitBy: at }) as ConsoleTask

test.each([
  ['admitting', taskIn('admitting'), [], { for: 'admission', until: at.toISOString() }],
  ['at its provider', taskIn('accepted'), [accepted], { for: 'provider', until }],
  ['of a dispatcher that told no time', taskIn('accepted'), [{ ...accepted, details: {} }], { for: 'provider', until: null }],
  ['at a provider that says what we don’t know', taskIn('accepted'), [accepted, missing('status')], { for: 'status', until: later }],
  ['at a provider that says what we know again', taskIn('accepted'), [accepted, missing('status'), accepted], { for: 'provider', until }],
  ['whose progress is told', taskIn('accepted'), [accepted, percent], { for: 'provider', until }],
  ['of a status we don’t know, then progress', taskIn('accepted'), [accepted, missing('status'), percent], { for: 'status', until: later }],
  ['being copied', taskIn('copying'), [accepted, copying], { for: 'storage', until: null }],
  ['whose file is missing', taskIn('copying'), [accepted, copying, missing('file')], { for: 'file', until: later }],
  ['in review', taskIn('copying', 'review'), [accepted, copying, missing('file')], { for: 'outcome', until: null }],
  ['being booked', taskIn('completed'), [accepted], { for: 'booking', until: null }],
  ['that has ended', taskIn('completed', 'settled'), [accepted], null],
])('what a task waits for, and until when: one %s', (_, task, events, expected) => {
  expect(waitingOf(task, events)).toEqual(expected as never)
})

test('a story says how far a generation is, where its provider tells it', () => {
  expect(summaryOf('generationProgressed', { phase: 'accepted', percent: 0 })).toBe('The generation is at 0 %')
  expect(summaryOf('generationProgressed', { phase: 'accepted', queuePosition: 3 })).toBe(
    'The generation has position 3 in the queue of the provider',
  )
})

test('a story says what is missing in words for people', () => {
  expect(summaryOf('generationProgressed', { phase: 'copying', waitingFor: 'file' })).toBe(
    'No file from the provider yet; it is asked again',
  )
})

test('a story shows once what a service told again, and each attempt and percent', () => {
  const refused = (attemptNumber: number) => ({ kind: 'generationRefused', at, details: { attemptNumber } })
  const shown = storyEventViews([refused(1), { ...refused(1), at: new Date() }, refused(2), accepted, accepted, percent, percent])
  expect(shown.map(({ kind, details }) => [kind, details.attemptNumber])).toEqual([
    ['generationRefused', 1],
    ['generationRefused', 2],
    ['generationAccepted', undefined],
    ['generationProgressed', undefined],
  ])
})
