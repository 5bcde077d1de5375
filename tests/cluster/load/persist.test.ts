import { expect, test } from 'bun:test'
import { type Answer, type ErrorBody, persist, retryAfterMsOf } from './persist'

type Body = ErrorBody & { id?: string }

const ok: Answer<Body> = { status: 202, retryAfter: '10', body: { id: 'task' } }
const refused = (status: number, code: string, retryAfter: string | null = null): Answer<Body> => ({
  status,
  retryAfter,
  body: { error: { code } },
})

/** Answers one after the other, the last for ever; an attempt takes 5 ms and a sleep as long as it says. */
async function answeredBy(...answers: (Answer<Body> | Error)[]) {
  let nowMs = 0
  let attempts = 0
  const slept: number[] = []
  const clock = {
    nowMs: () => nowMs,
    sleep: async (ms: number) => {
      slept.push(ms)
      nowMs += ms
    },
  }
  const attempt = async () => {
    const answer = answers[Math.min(attempts++, answers.length - 1)] ?? ok
    nowMs += 5
    if (answer instanceof Error) throw answer
    return answer
  }
  const persisted = await persist([200, 202], attempt, clock)
  return { persisted, slept, attempts }
}

test('an answer that is wanted is taken at once, whatever Retry-After it carries', async () => {
  expect(await answeredBy(ok)).toEqual({ persisted: { body: { id: 'task' }, firstTryMs: 5 }, slept: [], attempts: 1 })
})

test('a refusal is asked again after the seconds in its Retry-After, and counts as a first try that failed', async () => {
  expect(await answeredBy(refused(503, 'service_unavailable', '7'), refused(429, 'rate_limited', '3'), ok)).toEqual({
    persisted: { body: { id: 'task' }, firstTryFailure: '503 service_unavailable' },
    slept: [7000, 3000],
    attempts: 3,
  })
})

test('a lost connection and a 503 of a proxy, which name no time, are asked again soon', async () => {
  expect(await answeredBy(new Error('reset'), refused(503, 'no healthy upstream'), ok)).toEqual({
    persisted: { body: { id: 'task' }, firstTryFailure: 'connection: reset' },
    slept: [250, 250],
    attempts: 3,
  })
})

test('an answer that no retry heals is lost at once', async () => {
  expect(await answeredBy(refused(500, 'internal_error'))).toEqual({
    persisted: { lost: '500 internal_error', firstTryFailure: '500 internal_error' },
    slept: [],
    attempts: 1,
  })
})

test('what does not heal within five minutes is lost', async () => {
  const { persisted, attempts } = await answeredBy(refused(503, 'service_unavailable', '50'))
  expect(persisted).toEqual({ lost: '503 service_unavailable', firstTryFailure: '503 service_unavailable' })
  expect(attempts).toBe(7)
})

test('Retry-After is whole seconds', () => {
  expect(['10', ' 0 ', '-1', '1.5', 'Wed, 25 Nov 2026 07:00:00 GMT', '', null].map(retryAfterMsOf)).toEqual([
    10_000,
    0,
    ...Array.from({ length: 5 }, () => undefined),
  ])
})
