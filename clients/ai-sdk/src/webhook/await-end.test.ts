import { expect, test } from 'bun:test'
import { openApi } from '../api/open-api.ts'
import { createFindCard } from '../request/model-card.ts'
import { apiKey, baseUrl, fakeApi, type Routes, task } from '../testing/fake-api.ts'
import { awaitEnd } from './await-end.ts'

const path = 'GET /api/v1/tasks/vt_1'
const readEveryMs = 20

/** A task whose webhook never comes, and how often it has been read. */
function open(routes: Routes) {
  const { fetch, sent } = fakeApi(routes)
  const settings = { apiKey: () => apiKey, baseUrl: () => baseUrl, headers: {}, fetch, findCard: createFindCard() }
  const api = openApi({ ...settings, webhookFallbackMs: readEveryMs }, undefined)
  const started = Promise.resolve({ api, taskId: 'vt_1', secret: 'whsec_AAAA', signal: undefined })
  return { received: awaitEnd(started, new Promise<never>(() => {})), reads: () => sent.length }
}

test.each([
  [401, 'invalid_api_key'],
  [403, 'forbidden'],
  [404, 'task_not_found'],
])('a task that may not be read (%i) ends the wait with the refusal, and is not read again', async (status, code) => {
  const { received, reads } = open({ [path]: () => ({ status, body: { error: { code, message: code } } }) })
  const late = Bun.sleep(500).then(() => 'still waiting')
  expect(await Promise.race([received.catch((thrown: unknown) => thrown), late])).toMatchObject({
    name: 'AI_APICallError',
    statusCode: status,
    isRetryable: false,
    data: { error: { code }, taskId: 'vt_1' },
  })
  await Bun.sleep(5 * readEveryMs)
  expect(reads()).toBe(1)
})

test('an hour after the start, when no call of the AI SDK waits any more, the task is not read again', async () => {
  const { now } = Date
  let passedMs = 0
  Date.now = () => now() + passedMs
  try {
    const { reads } = open({ [path]: () => ({ body: task({ status: 'processing' }) }) })
    while (reads() === 0) await Bun.sleep(1)
    passedMs = 3_600_000
    await Bun.sleep(5 * readEveryMs)
    const atTheEnd = reads()
    await Bun.sleep(5 * readEveryMs)
    expect([atTheEnd <= 2, reads()]).toEqual([true, atTheEnd])
  } finally {
    Date.now = now
  }
})
