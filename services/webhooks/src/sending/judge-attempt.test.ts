import { expect, test } from 'bun:test'
import { judgeAttempt, judgeEndpoint } from './judge-attempt'

const now = new Date('2026-11-26T12:00:00Z')
const after = (ms: number) => new Date(now.getTime() + ms)
const hour = 3_600_000
const rules = { retryFirstMs: 5_000 }
const even = () => 0.5

test.each([
  ['delivered', { error: null }, 0, after(hour), { status: 'delivered', runAfterMs: 0 }],
  ['a first failure', { error: 'timed_out' }, 0, after(hour), { status: 'pending', runAfterMs: 5_000 }],
  ['a third failure', { error: 'timed_out' }, 2, after(hour), { status: 'pending', runAfterMs: 20_000 }],
  ['waits of at most four hours', { error: 'timed_out' }, 30, after(5 * hour), { status: 'pending', runAfterMs: 4 * hour }],
  ['no time left', { error: 'timed_out' }, 30, after(3 * hour), { status: 'failed', runAfterMs: 0 }],
])('%s', (_, attempt, tries, giveUpAt, judgement) => {
  expect(judgeAttempt({ event: 'task.failed', tries, giveUpAt }, attempt, rules, now, even) as unknown).toEqual(judgement)
})

test('retries span a day', () => {
  let at = 0
  let tries = 0
  for (;;) {
    const { status, runAfterMs } = judgeAttempt(
      { event: 'task.failed', tries, giveUpAt: after(24 * hour) },
      { error: 'x' },
      rules,
      after(at),
      even,
    )
    if (status === 'failed') break
    at += runAfterMs
    tries += 1
  }
  expect([tries, Math.floor(at / hour)]).toEqual([16, 21])
})

test('a test is tried once', () => {
  expect(judgeAttempt({ event: 'webhook.test', tries: 0, giveUpAt: after(hour) }, { error: 'x' }, rules, now).status).toBe('failed')
})

const success = (duration_ms: number) => ({ status: 200, error: null, duration_ms, event: 'task.failed', tries: 1 })
const failure = (status: number | null = null, tries = 5) => ({ status, error: 'x', duration_ms: 10, event: 'task.failed', tries })
const failedTest = (status: number | null = null) => ({ ...failure(status), event: 'webhook.test' })
const days = { pauseAfterDays: 3 }

test.each([
  ['a prompt success', null, [success(1_000)], { prompt: true, failingSince: null, pausedReason: null }],
  ['a slow success', null, [success(1_001)], { prompt: false, failingSince: null, pausedReason: null }],
  ['a first failure', null, [failure()], { prompt: false, failingSince: now, pausedReason: null }],
  ['less than three days', after(-71 * hour), [failure()], { prompt: false, failingSince: after(-71 * hour), pausedReason: null }],
  ['a success among failures', after(-99 * hour), [success(1), failure()], { prompt: false, failingSince: now, pausedReason: null }],
  [
    'three days of failures',
    after(-72 * hour),
    [failure()],
    { prompt: false, failingSince: after(-72 * hour), pausedReason: 'nothing but failures since 2026-11-23T12:00:00.000Z' },
  ],
  [
    'a fourth attempt days after an old failure',
    after(-72 * hour),
    [failure(null, 4)],
    { prompt: false, failingSince: after(-72 * hour), pausedReason: null },
  ],
  ['a failed test', null, [failedTest()], { prompt: false, failingSince: null, pausedReason: null }],
  [
    'a failed test among failures',
    after(-99 * hour),
    [failedTest(410)],
    { prompt: false, failingSince: after(-99 * hour), pausedReason: null },
  ],
  ['gone', null, [failure(410)], { prompt: false, failingSince: now, pausedReason: 'the endpoint answered 410 Gone' }],
])('an endpoint after %s', (_, failingSince, attempts, health) => {
  expect(judgeEndpoint({ prompt: true, failingSince }, attempts, days, now)).toEqual(health)
})
