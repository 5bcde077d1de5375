import { expect, test } from 'bun:test'
import { retryAfterOf, retryDelayMs } from './retry.ts'

test('Retry-After is seconds or a date, and anything else says nothing', () => {
  expect([retryAfterOf('7'), retryAfterOf(' 0 '), retryAfterOf(null), retryAfterOf('soon'), retryAfterOf('-3')]).toEqual([
    ...[7, 0, undefined, undefined],
    expect.anything(),
  ])
  expect(retryAfterOf(new Date(Date.now() + 30_000).toUTCString())).toBeWithin(28, 31)
  expect(retryAfterOf(new Date(Date.now() - 30_000).toUTCString())).toBe(0)
})

test('the pause is never shorter than Retry-After, and grows without it to a bound', () => {
  for (let attempts = 1; attempts < 60; attempts++) {
    expect(retryDelayMs(attempts, 3)).toBeWithin(3_000, 8_001)
    expect(retryDelayMs(attempts, undefined)).toBeWithin(250, 15_001)
  }
})
