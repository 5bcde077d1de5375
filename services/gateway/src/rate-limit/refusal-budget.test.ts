import { afterAll, beforeAll, expect, test } from 'bun:test'
import { pause } from '@filmgate/kit/deadline'
import type { Failure } from '@filmgate/kit/failure'
import { servers, testLog, until } from '@filmgate/kit/testing'
import { createAskRedis } from '../redis/ask-redis'
import { connectRedis } from '../redis/connect-redis'
import { createRefusalBudget, type MergedTask, type RefusalBudget } from './refusal-budget'

const redis = connectRedis(servers.redisUrl, testLog)
const gone = connectRedis('redis://127.0.0.1:1', testLog)
beforeAll(() => until('Redis', () => redis.status === 'ready'))
afterAll(() => {
  redis.disconnect()
  gone.disconnect()
})

const limit = 3
const budgetOf = (windowMs = 600_000, connection = redis): RefusalBudget =>
  createRefusalBudget({ redis: connection, askRedis: createAskRedis(), log: testLog, limit, windowMs, now: () => new Date() })

const refused = (accountId: string, of: Partial<MergedTask> = {}): MergedTask => ({
  ...{ id: crypto.randomUUID(), accountId, phase: 'refused', errorCode: 'media_unreachable', createdAt: new Date() },
  ...of,
})

/** What the refusal tells; undefined where the account may create. */
const refusal = (budget: RefusalBudget, accountId: string) =>
  budget.throwIfSpent(accountId).then(
    () => undefined,
    (failure: Failure) => ({ reason: failure.reason, ...failure.options }),
  )

test('an account whose POSTs were refused up to the limit creates nothing until the oldest is a window old; others do', async () => {
  const [windowMs, account, other] = [1_500, crypto.randomUUID(), crypto.randomUUID()]
  const budget = budgetOf(windowMs)
  budget.count([refused(account), refused(account), refused(other)])
  expect(await refusal(budget, account)).toBeUndefined()
  budget.count([refused(account)])
  expect(await refusal(budgetOf(windowMs), account)).toEqual({
    reason: 'rate_limited',
    message: expect.stringContaining('were refused'),
    details: { limit: 'refusals' },
    retryAfterSeconds: 2,
  })
  expect(await refusal(budget, other)).toBeUndefined()
  await pause(windowMs)
  expect(await refusal(budget, account)).toBeUndefined()
  budget.count([refused(account)])
  expect(await refusal(budget, account)).toBeUndefined()
})

test('a task counts once however often its events come, and only a 400 after its reservation counts', async () => {
  const [budget, account] = [budgetOf(), crypto.randomUUID()]
  const once = refused(account)
  for (let time = 0; time < 2 * limit; time++) budget.count([once])
  const harmless: Partial<MergedTask>[] = [
    { phase: 'accepted', errorCode: null },
    { phase: 'declined', errorCode: 'insufficient_credits' },
    { phase: 'failed', errorCode: 'generation_failed' },
    { errorCode: 'generation_unavailable' },
    { createdAt: new Date(Date.now() - 600_001) },
  ]
  budget.count(harmless.flatMap(of => [refused(account, of), refused(account, of), refused(account, of)]))
  budget.count([refused(account, { errorCode: 'prompt_rejected' })])
  expect(await refusal(budget, account)).toBeUndefined()
  budget.count([refused(account)])
  expect(await refusal(budget, account)).toMatchObject({ details: { limit: 'refusals' } })
})

test('each whole second of processor that refused media took counts as one more refusal, up to a quarter of the budget a task', async () => {
  const [account, honest] = [crypto.randomUUID(), crypto.randomUUID()]
  const budget = createRefusalBudget({ redis, askRedis: createAskRedis(), log: testLog, limit: 8, now: () => new Date() })
  const costly = refused(account)
  for (const seconds of [1.9, 0]) budget.count([costly], new Map([[costly.id, seconds]]))
  budget.count(Array.from({ length: 5 }, () => refused(account)))
  expect(await refusal(budget, account)).toBeUndefined()
  budget.count([refused(account)])
  expect(await refusal(budget, account)).toMatchObject({ details: { limit: 'refusals' } })
  // One film of three minutes of processor does not end an account's work; the third does.
  for (const count of [1, 2, 3]) {
    const film = refused(honest)
    budget.count([film], new Map([[film.id, 180]]))
    expect([count, (await refusal(budget, honest)) === undefined]).toEqual([count, count < 3])
  }
})

test('an error of its script refuses nobody and takes Redis from no other limit; while that has lost Redis, nothing is asked', async () => {
  const [account, askRedis] = [crypto.randomUUID(), createAskRedis()]
  const budget = createRefusalBudget({ redis, askRedis, log: testLog, limit, now: () => new Date() })
  await redis.set(`limits:refusals:${account}`, 'no sorted set', 'EX', 60)
  expect(await refusal(budget, account)).toBeUndefined()
  expect(askRedis.isLost()).toBe(false)
  const other = crypto.randomUUID()
  await askRedis.ask(Promise.reject(new Error('lost'))).catch(() => {})
  budgetOf().count([refused(other), refused(other), refused(other)])
  const lost = createRefusalBudget({ redis, askRedis, log: testLog, limit, now: () => new Date() })
  expect([await refusal(lost, other), await refusal(budgetOf(), other)]).toEqual([undefined, expect.anything()])
})

test('without Redis nobody is refused, and after the first request nobody waits', async () => {
  const [budget, account] = [budgetOf(600_000, gone), crypto.randomUUID()]
  budget.count(Array.from({ length: 10 }, () => refused(account)))
  expect(await refusal(budget, account)).toBeUndefined()
  const startedAt = performance.now()
  expect(await refusal(budget, account)).toBeUndefined()
  expect(performance.now() - startedAt).toBeLessThan(100)
})
