import { expect, test } from 'bun:test'
import { opensAfter } from './breaker'
import { nextPollMs, type ProviderState, schedulePolls } from './poll-schedule'

const cadences = { poll: { firstMs: 3_000, ofAge: 0.1, maxMs: 30_000 }, lookUp: { firstMs: 500, growth: 2, maxMs: 15_000 } }
const bounds = { overdueMs: 60_000, unknownProviderMs: 90_000 }
const attempt = { state: 'accepted', acceptedMsAgo: 0, absenceProvesInMs: -1, calledBackAs: null, tries: 0 } as const

test.each([
  ['a new one at the shortest pause', { ...attempt }, 3_000],
  ['one of 100 s after a tenth of its age', { ...attempt, acceptedMsAgo: 100_000 }, 10_000],
  ['an old one at the longest pause', { ...attempt, acceptedMsAgo: 1_800_000 }, 30_000],
  ['an overdue one at the pause of reviews', { ...attempt, state: 'overdue' }, 60_000],
  ['the first look-up', { ...attempt, state: 'unknown' }, 1_000],
  ['the third look-up', { ...attempt, state: 'unknown', tries: 2 }, 4_000],
  ['the hundredth look-up at the longest pause', { ...attempt, state: 'sending', tries: 99 }, 15_000],
  ['a look-up at the moment from which it proves something', { ...attempt, state: 'unknown', tries: 4, absenceProvesInMs: 700 }, 750],
  ['one that was called back, of a provider without a look-up', { ...attempt, state: 'unknown', tries: 99, calledBackAs: 'named' }, 15_000],
] as const)('the next poll: %s', (_, given, expectedMs) => {
  expect(nextPollMs(given, cadences, bounds, 0.5)).toBeCloseTo(expectedMs, 6)
})

test('polls that came due together spread over a fifth of their pause', () => {
  expect([0, 1].map(random => Math.round(nextPollMs(attempt, cadences, bounds, random)))).toEqual([2_700, 3_300])
})

test('an attempt that was called back is looked up no later than an overdue one; without a connector it waits for one', () => {
  const rare = { ...cadences, lookUp: { firstMs: 600_000, growth: 1, maxMs: 600_000 } }
  const calledBack = { ...attempt, state: 'unknown', calledBackAs: 'named' } as const
  expect([calledBack, { ...calledBack, calledBackAs: null }].map(one => nextPollMs(one, rare, bounds, 0))).toEqual([60_000, 600_000])
  expect(nextPollMs(calledBack, undefined, bounds, 0)).toBe(90_000)
})

const nowMs = 1_000_000
const never = Number.NEGATIVE_INFINITY
const limits: ProviderState = {
  rate: { perSecond: 4, nextStartMs: never, pausedUntilMs: never, pauseMs: 0 },
  breaker: { unanswered: 0, probeAtMs: null, probes: 0 },
  slots: 100,
}
const open = { unanswered: opensAfter, probeAtMs: nowMs, probes: 2 }
const one = { waitingSinceMs: nowMs, hasStart: false, nextPollMs: 10_000 }
const line = (count: number) => Array.from({ length: count }, () => one)
/** When each is due again after now: `p` where it is polled now, `s` with a start of its own, else without a slot. */
const decide = (given: (typeof one)[], own: Partial<ProviderState> = {}) =>
  schedulePolls(given, { ...limits, ...own }, nowMs, () => 0.5).decisions.map(({ decision, runAtMs }) =>
    decision === 'poll' ? 'p' : `${decision === 'has-start' ? 's' : 'n'}${runAtMs - nowMs}`,
  )

test.each([
  ['the unused starts of a second at once, then one after the other', line(6), {}, ['p', 'p', 'p', 'p', 's250', 's500']],
  ['nothing before the next free start', line(2), { rate: { ...limits.rate, nextStartMs: nowMs + 100 } }, ['s100', 's350']],
  ['a start of one’s own, before those who draw one', [one, { ...one, hasStart: true }], { slots: 1 }, ['n250', 'p']],
  ['nothing while the provider is paused', line(2), { rate: { ...limits.rate, pausedUntilMs: nowMs + 900 } }, ['s900', 's1150']],
  ['no start of one’s own while paused', [{ ...one, hasStart: true }], { rate: { ...limits.rate, pausedUntilMs: nowMs + 900 } }, ['s900']],
  ['nothing while the breaker is open', line(1), { breaker: { ...open, probeAtMs: nowMs + 1 } }, ['s1']],
  ['one probe, and the others after the next one', line(3), { breaker: open }, ['p', 's20000', 's20250']],
  ['no probe while paused', line(1), { breaker: open, rate: { ...limits.rate, pausedUntilMs: nowMs + 9 } }, ['s9']],
  ['no probe without a slot', line(1), { breaker: open, slots: 0 }, ['n250']],
  ['those that have waited longest get the slots', [one, { ...one, waitingSinceMs: nowMs - 800 }], { slots: 1 }, ['n250', 'p']],
  ['without a slot as long again as it has waited', [{ ...one, waitingSinceMs: nowMs - 800 }], { slots: 0 }, ['n800']],
  ['and half its pause at most', [{ ...one, waitingSinceMs: nowMs - 80_000 }], { slots: 0 }, ['n5000']],
])('a provider’s line: %s', (_, given, own, expected) => {
  expect(decide(given, own)).toEqual(expected)
})

test('a rate gives its next start, and a probe doubles the pause until the next one', () => {
  const { rate, breaker } = schedulePolls(line(6), limits, nowMs, () => 0)
  expect([rate, breaker]).toEqual([{ ...limits.rate, nextStartMs: nowMs + 750 }, limits.breaker])
  expect(schedulePolls(line(2), { ...limits, breaker: open }, nowMs, () => 0)).toMatchObject({
    rate: { nextStartMs: nowMs + 20_250 },
    breaker: { unanswered: opensAfter, probes: 3, probeAtMs: nowMs + 20_000 },
  })
})

test.each([3, 7, 30, 1_000])('a rate of %i gives a second’s starts and no more', perSecond => {
  const polled = decide(line(2_000), { rate: { ...limits.rate, perSecond }, slots: 2_000 }).filter(decision => decision === 'p')
  expect(polled.length).toBe(perSecond)
})
