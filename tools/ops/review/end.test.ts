import { expect, test } from 'bun:test'
import { BulkReviewEnd, BulkReviewPreview } from '@filmgate/proto/operator/review'
import { Value } from '@sinclair/typebox/value'
import { OpsFault } from '../fault'
import type { Call } from '../operator-api'
import { reviewApprove, reviewEnd } from './end'
import { reviewList } from './review'

const asked: unknown[][] = []
const answering = (...answers: (object | OpsFault)[]): Call => {
  asked.length = 0
  return async (...call) => {
    asked.push(call)
    const answer = answers.shift() ?? {}
    if (answer instanceof OpsFault) throw answer
    return answer as never
  }
}
const bulk = {
  ...Value.Create(BulkReviewEnd),
  id: '7',
  reviews: 1_200,
  ended: 0,
  approved_by: null,
  approved_at: null,
  ended_at: null,
  cause: null,
}
const running = { ...bulk, state: 'running' as const }
const terms = { provider: 'fal', from: '2026-11-21T08:00:00.000Z', to: '2026-11-21T09:00:00.000Z', outcome: 'refund' }
const input = { ...terms, reason: 'fal lost them' }

test('reviews are ended batch by batch until they are done, with their progress', async () => {
  const lines: string[] = []
  const call = answering(running, { ...running, ended: 500 }, { ...running, ended: 1_000 }, { ...bulk, state: 'done', ended: 1_199 })
  expect(await reviewEnd(call, input, { progress: words => void lines.push(words) })).toMatchObject({ state: 'done', ended: 1_199 })
  const next = ['dispatcher', 'POST', '/bulk-review-ends/7/next']
  expect(asked).toEqual([['dispatcher', 'POST', '/bulk-review-ends', { ...terms, reason: 'fal lost them' }], next, next, next])
  expect(lines).toEqual(['500 of 1200 ended', '1000 of 1200 ended', '1199 of 1200 ended'])
})

test('Ctrl-C ends it after the batch under way, and says that the same command goes on', async () => {
  const interrupt = new AbortController()
  const lines: string[] = []
  const call = answering(running, { ...running, ended: 500 }, { ...running, ended: 1_000 })
  const progress = (words: string) => {
    lines.push(words)
    interrupt.abort()
  }
  expect(await reviewEnd(call, input, { signal: interrupt.signal, progress })).toMatchObject({ state: 'running', ended: 500 })
  expect(lines).toEqual(['500 of 1200 ended', 'Interrupted: what is ended stays ended. The same command goes on.'])
})

test('what waits for a second operator ends nothing, and names the command that approves it; an approval goes on', async () => {
  const lines: string[] = []
  await reviewEnd(answering({ ...bulk, state: 'awaiting_second' }), input, { progress: words => void lines.push(words) })
  expect(lines).toEqual(['1200 reviews need a second operator, who approves with: ops review approve 7'])
  expect(asked).toHaveLength(1)
  await reviewApprove(answering(running, { ...bulk, state: 'done' }), { id: '7' })
  expect(asked.map(([, , path]) => path)).toEqual(['/bulk-review-ends/7/approve', '/bulk-review-ends/7/next'])
})

test('a dry run asks for the counts alone, and what fits no review is named in a sentence', async () => {
  const preview = { ...Value.Create(BulkReviewPreview), cause: null, models: [] }
  expect(await reviewEnd(answering(preview), { ...input, cause: 'reset', dryRun: true })).toEqual(preview)
  expect(asked).toEqual([['dispatcher', 'GET', `/bulk-review-ends/preview?${new URLSearchParams({ ...terms, cause: 'reset' })}`]])
  const none = answering(new OpsFault('The dispatcher refused: 404 no_reviews_fit: No open review of this provider fits.', 404))
  await expect(reviewEnd(none, input)).rejects.toThrow(/^No open review of fal between .* can be ended by refund; nothing was done\./)
})

test('a list that ends before the last says how many there are', async () => {
  const row = {
    task_id: 'vt_1',
    account_id: 'a',
    attempt_id: 'at_1',
    provider: 'fal',
    state: 'unknown',
    cause: null,
    review_since: terms.from,
  }
  const lines: string[] = []
  const call = answering({ data: [row], total: 17_700 })
  expect(await reviewList(call, { provider: 'fal', since: terms.from }, words => void lines.push(words))).toEqual([row])
  expect(asked).toEqual([['dispatcher', 'GET', `/reviews?${new URLSearchParams({ provider: 'fal', from: terms.from })}`]])
  expect(lines).toEqual(['17700 reviews are open; these are the oldest 1. Narrow the list, or end them together: ops review end'])
})
