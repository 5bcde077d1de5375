import { expect, test } from 'bun:test'
import { createPace } from './pace'

const { signal } = new AbortController()

test('calls are let through one after another, and one whose turn is too far away is not waited for', async () => {
  let at = 0
  const pace = createPace({ perSecond: 100, waitMsMax: 25, now: () => at })
  expect(await Promise.all([pace(signal), pace(signal), pace(signal), pace(signal)])).toEqual([true, true, true, false])
  at = 15
  expect(await Promise.all([pace(signal), pace(signal), pace(signal)])).toEqual([true, true, false])
  at = 1_000
  expect(await pace(signal)).toBe(true)
})

test('a call waits for its turn, and no longer than its caller does', async () => {
  const pace = createPace({ perSecond: 20, waitMsMax: 10_000 })
  const since = performance.now()
  await Promise.all([pace(signal), pace(signal), pace(signal)])
  expect(performance.now() - since).toBeGreaterThan(95)
  const slow = createPace({ perSecond: 0.001, waitMsMax: 10_000_000 })
  const stopping = new AbortController()
  const waiting = Promise.all([slow(stopping.signal), slow(stopping.signal)])
  stopping.abort()
  await waiting
})
