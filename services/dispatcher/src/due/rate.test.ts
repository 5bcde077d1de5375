import { expect, test } from 'bun:test'
import { type Pause, pauseAfter, pauseFirstMs, pauseMsMax, type RateReport } from './rate'

const nowMs = 1_000_000
const none: Pause = { pausedUntilMs: Number.NEGATIVE_INFINITY, pauseMs: 0 }
const over = (pauseMs: number): Pause => ({ pausedUntilMs: nowMs, pauseMs })
const limited = (retryAfterMs?: number): RateReport => ({ answered: false, rateLimited: true, retryAfterMs })
const answered: RateReport = { answered: true, rateLimited: false, retryAfterMs: undefined }
const silent: RateReport = { ...answered, answered: false }

test.each<[string, Pause, RateReport, Pause]>([
  ['the first 429 pauses for seconds', none, limited(), { pausedUntilMs: nowMs + pauseFirstMs, pauseMs: pauseFirstMs }],
  ['so does one that names an hour', none, limited(3_600_000), { pausedUntilMs: nowMs + pauseFirstMs, pauseMs: pauseFirstMs }],
  ['the next one doubles the pause', over(8_000), limited(), { pausedUntilMs: nowMs + 16_000, pauseMs: 16_000 }],
  ['up to minutes', over(100_000), limited(3_600_000), { pausedUntilMs: nowMs + pauseMsMax, pauseMs: pauseMsMax }],
  ['and no longer than the provider says', over(8_000), limited(5_000), { pausedUntilMs: nowMs + 5_000, pauseMs: 5_000 }],
  ['a Retry-After of 0 pauses for a second', none, limited(0), { pausedUntilMs: nowMs + 1_000, pauseMs: 1_000 }],
  ['an answer halves it', over(16_000), answered, over(8_000)],
  ['down to none', over(pauseFirstMs), answered, over(0)],
  ['an answer beside a 429 doesn’t', over(8_000), { ...limited(), answered: true }, { pausedUntilMs: nowMs + 16_000, pauseMs: 16_000 }],
  ['no answer changes nothing', over(8_000), silent, over(8_000)],
])('%s', (_, before, report, after) => {
  expect(pauseAfter(before, report, nowMs)).toEqual(after)
})

test('calls that were under way when a pause began neither lengthen nor shorten it', () => {
  const paused = { pausedUntilMs: nowMs + 1, pauseMs: 4_000 }
  expect([limited(), answered].map(report => pauseAfter(paused, report, nowMs))).toEqual([paused, paused])
})
