import { expect, test } from 'bun:test'
import type { Attempt } from '@filmgate/proto/operator/attempt'
import { attemptsOf } from './attempts'

const attempt = { number: 1, provider: 'fal', state: 'copying', id: 'at_1', created_at: '2026-11-25T10:00:00.000Z' } as Attempt
const attemptText = (waiting_for: Attempt['waiting_for']) =>
  attemptsOf({ attempts: [{ ...attempt, waiting_for }], review_decisions: [], release: null }, 'None.').text

test('an attempt says what it waits for, until when and why; and nothing where nothing is missing', () => {
  const text = attemptText({ what: 'video file at the provider', cause: 'answered 403', until: '2026-11-25T10:15:00.000Z' })
  expect(text).toMatch(/Waiting for.*the video file at the provider until .*10:15.*: answered 403/s)
  expect(attemptText(null)).not.toContain('Waiting for')
})
