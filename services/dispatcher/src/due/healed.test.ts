import { expect, test } from 'bun:test'
import type { Cadence, PollCadence } from '../providers/connector'
import { afterCalls, type Breaker, isOpen } from './breaker'
import { nextPollMs, schedulePolls } from './poll-schedule'
import { pauseAfter, type Rate, type RateReport } from './rate'

/** The longest pauses that a connector has. */
const cadences: { poll: PollCadence; lookUp: Cadence } = {
  poll: { firstMs: 5_000, ofAge: 0.1, maxMs: 30_000 },
  lookUp: { firstMs: 500, growth: 2, maxMs: 15_000 },
}
const bounds = { overdueMs: 60_000, unknownProviderMs: 60_000 }
const claimEveryMs = 250
const never = Number.NEGATIVE_INFINITY

type State = 'accepted' | 'overdue' | 'unknown'
type SimulatedAttempt = {
  state: State
  acceptedMs: number
  tries: number
  runAtMs: number
  waitingSinceMs: number
  hasStart: boolean
  answeredMs: number
}
/** How a provider answers while it is not well, and after how long. */
type Outage = { report: Omit<RateReport, 'answered'>; unanswered: number; callMs: number }

/** Small, so that every run is the same. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const attemptOf = (state: State, random: () => number): SimulatedAttempt => {
  const runAtMs = random() * 30_000
  return { ...{ state, acceptedMs: -random() * 900_000, tries: 5, runAtMs }, waitingSinceMs: runAtMs, hasStart: false, answeredMs: never }
}

/** Attempts of one provider under the pure schedule, breaker and rate, in simulated time. */
function follow(states: State[], outage: Outage, { perSecond, healsMs, seed }: { perSecond: number; healsMs: number; seed: number }) {
  const random = seeded(seed)
  const line = states.map(state => attemptOf(state, random))
  let rate: Rate = { perSecond, nextStartMs: never, pausedUntilMs: never, pauseMs: 0 }
  let breaker: Breaker = { unanswered: 0, probeAtMs: null, probes: 0 }
  let underWay: { one: SimulatedAttempt; endsMs: number; isWell: boolean }[] = []
  const counted = new Set<SimulatedAttempt>()
  const opened = { breaker: false, pauseMs: 0 }

  function end({ one, isWell }: (typeof underWay)[number], nowMs: number): void {
    if (isWell && one.answeredMs < healsMs) one.answeredMs = nowMs
    // As report-calls.ts counts them: each attempt once.
    const unanswered = isWell || counted.has(one) ? 0 : outage.unanswered
    if (!isWell) counted.add(one)
    breaker = afterCalls(breaker, { answered: isWell, unanswered }, nowMs)
    const report = isWell ? { rateLimited: false, retryAfterMs: undefined } : outage.report
    rate = { ...rate, ...pauseAfter(rate, { ...report, answered: isWell }, nowMs) }
    opened.breaker ||= isOpen(breaker)
    opened.pauseMs = Math.max(opened.pauseMs, rate.pauseMs)
  }

  function claim(nowMs: number): void {
    const due = line.filter(({ runAtMs }) => runAtMs <= nowMs).toSorted((a, b) => a.runAtMs - b.runAtMs)
    if (due.length === 0) return
    const inLine = due.map(one => {
      const polled = { ...one, acceptedMsAgo: nowMs - one.acceptedMs, absenceProvesInMs: -1, calledBackAs: null }
      return { ...one, nextPollMs: nextPollMs(polled, cadences, bounds, random()) }
    })
    const after = schedulePolls(inLine, { rate, breaker, slots: 800 - underWay.length }, nowMs, random)
    rate = after.rate
    breaker = after.breaker
    for (const [index, { decision, runAtMs }] of after.decisions.entries()) {
      const one = due[index]
      if (!one) continue
      const isPolled = decision === 'poll'
      const isWell = nowMs >= healsMs
      if (isPolled) underWay.push({ one, isWell, endsMs: nowMs + (isWell ? 250 : outage.callMs) })
      const waitingSinceMs = isPolled ? runAtMs : Math.min(one.waitingSinceMs, nowMs)
      Object.assign(one, { runAtMs, waitingSinceMs, tries: one.tries + Number(isPolled), hasStart: decision === 'has-start' })
    }
  }

  for (let nowMs = 0; line.some(({ answeredMs }) => answeredMs < healsMs) && nowMs < healsMs + 3_600_000; ) {
    for (const call of underWay) if (call.endsMs <= nowMs) end(call, nowMs)
    underWay = underWay.filter(({ endsMs }) => endsMs > nowMs)
    claim(nowMs)
    const nextMs = Math.min(...line.map(({ runAtMs }) => runAtMs), ...underWay.map(({ endsMs }) => endsMs))
    nowMs = Math.max(nowMs + claimEveryMs, Math.ceil(nextMs / claimEveryMs) * claimEveryMs)
  }
  return { ...opened, latestMs: Math.max(...line.map(({ answeredMs }) => answeredMs - healsMs)) }
}

const running = (count: number): State[] => Array.from({ length: count }, () => 'accepted')
const mixed = running(40).map((state, index): State => (index % 10 === 0 ? 'overdue' : index % 10 === 1 ? 'unknown' : state))
const nothing = { report: { rateLimited: false, retryAfterMs: undefined }, unanswered: 1, callMs: 50 }
const hangs = { ...nothing, callMs: 10_000 }
const tooMany = (retryAfterMs?: number) => ({ report: { rateLimited: true, retryAfterMs }, unanswered: 0, callMs: 50 })
const usualRate = 5_000

/** Beyond the queue: a probe and the start behind it (20 s each), a poll's pause (33 s, overdue 60 s), or the pause of a rate limit (120 s). */
test.each<[string, State[], Outage, number, { secondsMax: number; opens: boolean; pauses: number }]>([
  ['three, too few to open a breaker', running(3), nothing, usualRate, { secondsMax: 35, opens: false, pauses: 0 }],
  ['forty, answered nothing', running(40), nothing, usualRate, { secondsMax: 45, opens: true, pauses: 0 }],
  ['forty, each call to its time-out', running(40), hangs, usualRate, { secondsMax: 45, opens: true, pauses: 0 }],
  ['forty, some overdue or without an id', mixed, nothing, usualRate, { secondsMax: 61, opens: true, pauses: 0 }],
  ['a hundred at five a second: 20 s of queue', running(100), nothing, 5, { secondsMax: 65, opens: true, pauses: 0 }],
  ['forty, told that there are too many', running(40), tooMany(), usualRate, { secondsMax: 125, opens: false, pauses: 120_000 }],
  ['forty, told to come in an hour', running(40), tooMany(3_600_000), usualRate, { secondsMax: 125, opens: false, pauses: 120_000 }],
  ['forty, told to come in five seconds', running(40), tooMany(5_000), usualRate, { secondsMax: 40, opens: false, pauses: 5_000 }],
])('every attempt is told of soon after its provider answers again: %s', (_, states, outage, perSecond, { secondsMax, opens, pauses }) => {
  const runs = [60, 300].flatMap(seconds =>
    Array.from({ length: 3 }, (_, seed) => ({ perSecond, healsMs: seconds * 1_000 + seed * 3_777, seed })),
  )
  const ends = runs.map(run => follow(states, outage, run))
  expect(Math.max(...ends.map(({ latestMs }) => latestMs)) / 1_000).toBeLessThanOrEqual(secondsMax)
  const seen = { opens: ends.some(({ breaker }) => breaker), pauses: Math.max(...ends.map(({ pauseMs }) => pauseMs)) }
  expect(seen).toEqual({ opens, pauses })
})
