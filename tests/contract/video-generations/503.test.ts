import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError, retryAfterSeconds } from '../../support/client/errors'
import { ownWords, smallRequest } from '../../support/client/request'
import { taskLike } from '../../support/client/task'
import { simulator } from '../../support/simulator'

test('the provider refuses: 503 with the task, which is failed and refunded, and its replay is that task', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const [prompt, idempotencyKey] = [ownWords(), crypto.randomUUID()]
  await simulator.behave(prompt, [{ name: 'refuse', code: 'too_many_requests' }])
  const refused = await api.generate(smallRequest({ prompt }), { idempotencyKey })
  const details = expectError(refused, 503, 'generation_unavailable')
  expect(Object.keys(details)).toEqual(['task_id'])
  retryAfterSeconds(refused)
  const task = await api.taskOnce(String(details.task_id), ({ billing_status }) => billing_status === 'refunded')
  expect(task).toMatchObject({ status: 'failed', credits_refunded: task.credits_used, error: { code: 'generation_unavailable' } })
  expect(await api.credits()).toBe(1_000)
  const replay = await api.generate(smallRequest({ prompt }), { idempotencyKey })
  expect([replay.status, replay.body.id]).toEqual([200, task.id])
})

test('nobody knows whether the provider accepted: 503 with the task, credits held, and the replay is that task in review', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const [prompt, idempotencyKey] = [ownWords(), crypto.randomUUID()]
  await simulator.behave(prompt, [{ name: 'accept_then_drop' }, { name: 'lookup_lags', delay_ms: 3_000 }, { name: 'instant' }])
  const unsure = await api.generate(smallRequest({ prompt }), { idempotencyKey })
  const details = expectError(unsure, 503, 'acceptance_uncertain')
  expect(Object.keys(details)).toEqual(['task_id'])
  retryAfterSeconds(unsure)
  const replay = await api.generate(smallRequest({ prompt }), { idempotencyKey })
  expect(replay.status).toBe(200)
  expect(replay.body).toEqual(taskLike({ id: String(details.task_id), billing_status: 'review' }) as never)
  expect(await api.credits()).toBe(1_000 - replay.body.credits_used)
  const task = await api.taskOnce(String(details.task_id))
  expect(task).toMatchObject({ status: 'completed', billing_status: 'settled' })
  expect(await simulator.submits(prompt)).toHaveLength(1)
})
