import { expect, test } from 'bun:test'
import { addKey, openAccount } from '../../support/client/account'
import { consoleOf } from '../../support/client/console'
import { expectError, retryAfterSeconds, untilRefused } from '../../support/client/errors'
import { ownWords, smallRequest } from '../../support/client/request'
import { operate } from '../../support/operator/operator'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'

test('a fourth unfinished task is refused, whichever key asks; a finished one makes room', async () => {
  const { api, accountId } = await openAccount({ credits: 1_000 })
  const other = await addKey(accountId)
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const taken = await Promise.all([api, other, api].map(each => each.generate(smallRequest({ prompt }))))
  expect(taken.map(({ status }) => status)).toEqual([202, 202, 202])
  const before = await api.credits()
  const idempotencyKey = crypto.randomUUID()
  const refused = await other.generate(smallRequest({ prompt }), { idempotencyKey })
  expectError(refused, 429, 'unfinished_task_limit')
  retryAfterSeconds(refused)
  expect(await api.credits()).toBe(before)
  const [submit] = await simulator.submits(prompt)
  await simulator.release(submit?.generation_id ?? '')
  await Promise.any(taken.map(({ body }) => api.taskOnce(body.id)))
  expect((await other.generate(smallRequest({ prompt }), { idempotencyKey })).status).toBe(202)
})

test('an account with limits of its own has those, at each of its keys, within 5 s, until they are taken back', async () => {
  const { api, accountId } = await openAccount({ credits: 1_000 })
  const other = await addKey(accountId)
  const setLimits = (limits: object) => operate('gateway', 'POST', `/accounts/${accountId}/limits`, { ...limits, reason: 'a plan' })
  const policyOf = async () => (await other.get('/credits')).headers.get('ratelimit-policy')
  const usual = await policyOf()
  await setLimits({ requests_a_minute: 400, unfinished_tasks_max: 4 })
  await until('the limit of requests', async () => (await policyOf()) === '"requests";q=400;w=60', 5_000)
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const asked = await Promise.all([api, other, api, other].map(each => each.generate(smallRequest({ prompt }))))
  expect(asked.map(({ status }) => status)).toEqual([202, 202, 202, 202])
  expectError(await other.generate(smallRequest({ prompt })), 429, 'unfinished_task_limit')
  expect((await consoleOf(accountId).read<{ unfinished_max: number }>('')).unfinished_max).toBe(4)
  await setLimits({ requests_a_minute: null, unfinished_tasks_max: null })
  await until('the usual limit of requests', async () => (await policyOf()) === usual, 5_000)
})

test('the refusal names what is waited for, and until when; Retry-After is no longer than that', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const [lost, running] = [ownWords(), ownWords()]
  await simulator.behave(lost, [{ name: 'accept_then_drop' }, { name: 'lookup_500', times: 1_000 }, { name: 'never_finishes' }])
  await simulator.behave(running, [{ name: 'never_finishes' }])
  const uncertain = await api.generate(smallRequest({ prompt: lost }))
  expectError(uncertain, 503, 'acceptance_uncertain')
  const taken = await Promise.all([1, 2].map(() => api.generate(smallRequest({ prompt: running }))))
  expect(taken.map(({ status }) => status)).toEqual([202, 202])
  const refused = await api.generate(smallRequest({ prompt: running }))
  expectError(refused, 429, 'unfinished_task_limit')
  type Unfinished = { task_id: string; billing_status: string; until?: string }
  const { unfinished } = (refused.body.error?.details ?? {}) as { unfinished: Unfinished[] }
  const [review, ...reserved] = unfinished.map(({ task_id, billing_status }) => [task_id, billing_status])
  expect(review).toEqual([String(uncertain.body.error?.details?.task_id), 'review'])
  // Two requests at once are reserved in either order.
  expect(reserved.toSorted()).toEqual(taken.map(({ body }) => [body.id, 'reserved']).toSorted())
  expect(unfinished.map(({ until }) => until !== undefined)).toEqual([true, false, false])
  const leftMs = Date.parse(unfinished[0]?.until ?? '') - Date.now()
  expect(leftMs).toBeGreaterThan(0)
  expect(leftMs).toBeLessThanOrEqual(3_600_000)
  expect(retryAfterSeconds(refused)).toBeLessThanOrEqual(10)
})

test('four at once are never more than three', async () => {
  const { api } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.generate(smallRequest({ prompt }))))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 202, 202, 429, 429, 429, 429, 429])
})

test('the requests of a key in a minute are counted; another key isn’t touched', async () => {
  const { api, accountId } = await openAccount()
  const { headers } = await api.get('/credits')
  const [, quota = ''] = headers.get('ratelimit-policy')?.match(/^"requests";q=(\d+);w=60$/) ?? []
  expect(Number(headers.get('ratelimit')?.match(/^"requests";r=(\d+);t=\d+$/)?.[1])).toBeLessThan(Number(quota))
  const { refused, answered } = await untilRefused(() => api.generate({}))
  expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([400]))
  expectError(refused, 429, 'rate_limited')
  expect(retryAfterSeconds(refused)).toBeLessThanOrEqual(60)
  expect(refused.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+$/)
  expect((await (await addKey(accountId)).get('/credits')).status).toBe(200)
})
