import { expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { ownWords, smallRequest } from '../support/client/request'
import { attemptsOf, operate } from '../support/operator/operator'
import { simulator } from '../support/simulator'

/** A task held for review because its provider doesn't come to an end. */
async function taskInReview(prompt: string) {
  const { api } = await openAccount({ credits: 1_000 })
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const { body } = await api.generate(smallRequest({ prompt }))
  const task = await api.taskOnce(body.id, ({ billing_status }) => billing_status === 'review')
  return { api, task }
}

test.concurrent('a generation that takes too long is held for review, never refunded, and settled when it ends after all', async () => {
  const prompt = ownWords()
  const { api, task } = await taskInReview(prompt)
  expect(task).toMatchObject({ status: 'processing', credits_refunded: 0 })
  expect(await api.credits()).toBe(1_000 - task.credits_used)
  const { data } = await operate<{ data: { id: string }[] }>('gateway', 'GET', '/reviews')
  expect(data.map(({ id }) => id)).toContain(task.id)
  const [submit] = await simulator.submits(prompt)
  await simulator.release(submit?.generation_id ?? '')
  expect(await api.taskOnce(task.id)).toMatchObject({ status: 'completed', billing_status: 'settled' })
})

test.concurrent('an operator ends a review with a refund', async () => {
  const { api, task } = await taskInReview(ownWords())
  await operate('dispatcher', 'POST', `/reviews/${task.id}/refund`, { reason: 'the provider says it never will' })
  const ended = await api.taskOnce(task.id, ({ billing_status }) => billing_status === 'refunded')
  expect(ended).toMatchObject({ status: 'failed', credits_refunded: task.credits_used, error: { code: 'generation_failed' } })
  expect(await api.credits()).toBe(1_000)
})

test.concurrent('an operator who knows the provider’s id ends a review with a settled video', async () => {
  const prompt = ownWords()
  const { api } = await openAccount({ credits: 1_000 })
  // The provider has it, but told nobody its id and finds it by no id of ours.
  await simulator.behave(prompt, [
    { name: 'accept_then_drop' },
    { name: 'lookup_lags', delay_ms: 3_600_000 },
    { name: 'lookup_500', times: 1_000 },
    { name: 'instant' },
  ])
  const { body } = await api.generate(smallRequest({ prompt }))
  const taskId = body.error?.details?.task_id ?? ''
  const [submit] = await simulator.submits(prompt)
  await operate('dispatcher', 'POST', `/reviews/${taskId}/accept`, {
    provider_task_id: submit?.generation_id,
    reason: 'seen in the provider’s console',
  })
  const task = await api.taskOnce(taskId)
  expect(task).toMatchObject({ status: 'completed', billing_status: 'settled' })
  expect((await attemptsOf(taskId)).map(({ state }) => state)).toEqual(['completed'])
})
