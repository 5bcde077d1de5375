import { expect, test } from 'bun:test'
import { answeringProvider } from '../testing/answering-provider'
import { callProvider } from './call'
import { countTold, retryAfterMs, withTally } from './tally'

const tallyOf = async (...answers: (() => Response)[]) => {
  const left = [...answers]
  const provider = answeringProvider(() => left.shift()?.() ?? new Response('', { status: 500 }))
  const call = () =>
    callProvider({
      ...{ provider: 'test', call: 'poll' as const, url: provider.url, method: 'GET' as const, headers: {}, timeoutMs: 1_000 },
      signal: new AbortController().signal,
    }).catch(() => undefined)
  const { working, tally } = withTally(async () => {
    for (const _ of answers) await call()
  })
  await working
  provider.stop()
  return tally
}

const none = { answered: 0, silent: 0, rateLimited: false, retryAfterMs: undefined }
const json =
  (status: number, headers = {}) =>
  () =>
    Response.json({}, { status, headers })

test('what says something of what was asked is an answer, whatever it says', async () => {
  expect(await tallyOf(json(200), json(404), json(422))).toEqual({ ...none, answered: 3 })
})

test('what says nothing of it is none: no way in, no time, out of order, or something unreadable', async () => {
  const page = () => new Response('<html>', { status: 200 })
  expect(await tallyOf(json(401), json(403), json(500), json(503), page)).toEqual({ ...none, silent: 5 })
  expect(await tallyOf(json(429))).toEqual({ ...none, rateLimited: true })
})

test('what a poll was told counts beside what its calls came to', () => {
  expect(withTally(countTold).tally).toEqual({ ...none, answered: 1 })
})

test('the longest time that was named is kept, of an answer that could not be read too', async () => {
  const page = () => new Response('<html>', { status: 429, headers: { 'retry-after': '7' } })
  expect(await tallyOf(json(503, { 'retry-after': '3' }), page, json(200))).toEqual({
    ...{ answered: 1, silent: 1, rateLimited: true, retryAfterMs: 7_000 },
  })
})

test('a time is seconds or a date of HTTP, and nothing else', () => {
  const now = Date.UTC(2026, 0, 1)
  expect(retryAfterMs('120', now)).toBe(120_000)
  expect(retryAfterMs('Thu, 01 Jan 2026 00:00:05 GMT', now)).toBe(5_000)
  expect(retryAfterMs('Wed, 31 Dec 2025 23:00:00 GMT', now)).toBe(0)
  for (const odd of [null, '', '-5', '1.5', 'soon', '2026-01-01', 'NaN']) expect(retryAfterMs(odd, now)).toBe(undefined)
})
