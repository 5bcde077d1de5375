import { expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { createApi } from '../support/client/api'
import { ownWords, smallRequest } from '../support/client/request'
import { audit, ledgerTask } from '../support/operator/operator'
import { settings } from '../support/settings'
import { simulator } from '../support/simulator'

const twins = 50

/** Fifty POSTs with one key at once, every other one to the other gateway; every body once by each. */
async function postTwins(bodies: [first: object, second: object]) {
  const { api, apiKey } = await openAccount({ credits: 1_000 })
  const gateways = [api, createApi(apiKey, settings.secondUrl)]
  const idempotencyKey = crypto.randomUUID()
  const posts = Array.from({ length: twins }, (_, index) => {
    return gateways[Math.floor(index / 2) % 2]?.generate(bodies[index % 2], { idempotencyKey })
  })
  const answers = await Promise.all(posts)
  const statuses = (wanted: number) => answers.filter(answer => answer?.status === wanted)
  return { api, answers, accepted: statuses(202), replayed: statuses(200), refused: statuses(409) }
}

test('fifty identical requests to two gateways at once: one 202, 49 × 200, one task, one reservation, one submit', async () => {
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const body = smallRequest({ prompt })
  const { api, answers, accepted, replayed } = await postTwins([body, body])
  expect([accepted.length, replayed.length]).toEqual([1, twins - 1])
  const [taskId = '', ...others] = new Set(answers.map(answer => answer?.body.id))
  expect(others).toEqual([])
  const task = await api.taskOnce(taskId)
  expect(await api.credits()).toBe(1_000 - task.credits_used)
  expect((await ledgerTask(taskId)).entries.filter(({ kind }) => kind === 'reserve')).toHaveLength(2)
  expect(await simulator.submits(prompt)).toHaveLength(1)
})

test('with one byte changed in half of them, that half or the other is 409, and still one is bought', async () => {
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const { api, accepted, replayed, refused } = await postTwins([smallRequest({ prompt }), smallRequest({ prompt: `${prompt}.` })])
  expect([accepted.length, replayed.length, refused.length]).toEqual([1, twins / 2 - 1, twins / 2])
  for (const answer of refused) expect(answer?.body.error?.code).toBe('idempotency_key_reused')
  expect(new Set([...accepted, ...replayed].map(answer => answer?.body.id)).size).toBe(1)
  expect(await api.credits()).toBe(1_000 - (accepted[0]?.body.credits_used ?? 0))
  // Either half may be first.
  expect([...(await simulator.submits(prompt)), ...(await simulator.submits(`${prompt}.`))]).toHaveLength(1)
  expect(await audit()).toEqual([])
})
