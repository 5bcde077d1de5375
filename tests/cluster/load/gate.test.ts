import { expect, test } from 'bun:test'
import { firstTryFailuresMax, judgeDisaster, judgeRoutine, type LoadResult } from './gate'

const load = (given: Partial<LoadResult>): LoadResult => ({
  ...{ requests: 400, firstTryFailures: {}, lost: [], tasks: [], p50Ms: 20, p99Ms: 300 },
  ...given,
})

test('0.5 % of first tries may fail, and at least one', () => {
  expect([0, 1, 199, 399, 400, 1000].map(firstTryFailuresMax)).toEqual([1, 1, 1, 1, 2, 5])
})

test('a roll passes with two healed refusals in 400 requests, whatever the latency, and says them', () => {
  const failures = { 'POST: 503 service_unavailable': 1, 'GET credits: connection: reset': 1 }
  expect(judgeRoutine(load({ firstTryFailures: failures, p99Ms: 30_000 }))).toEqual({
    first_try_failures: 2,
    failed_as: JSON.stringify(failures),
  })
})

test('a roll with more first tries that failed than may is refused', () => {
  const three = load({ firstTryFailures: { 'POST: 503 ': 2, 'GET task: 503 ': 1 } })
  expect(() => judgeRoutine(three)).toThrow('3 of 400 first tries failed, 2 may: {"POST: 503 ":2,"GET task: 503 ":1}')
})

test('one lost request is one too many, in a roll and after a kill', () => {
  const lost = load({ lost: ['POST: 503 '], firstTryFailures: { 'POST: 503 ': 1 } })
  expect(() => judgeRoutine(lost)).toThrow('not healed by a retry: ["POST: 503 "]')
  expect(() => judgeDisaster(lost)).toThrow('not healed by a retry: ["POST: 503 "]')
})

test('after a kill any number of lost connections and 503 is healed, and nothing else is allowed', () => {
  const healed = load({ firstTryFailures: { 'POST: 503 ': 40, 'GET task: connection: reset': 30 } })
  expect(judgeDisaster(healed).first_try_failures).toBe(70)
  const refused = load({ firstTryFailures: { 'POST: 429 rate_limited': 1 } })
  expect(() => judgeDisaster(refused)).toThrow('the contract does not allow ["POST: 429 rate_limited"]')
})
