import { expect, test } from 'bun:test'
import { openAccount } from '../../support/account'
import { ownWords, smallRequest } from '../../support/request'
import { simulator } from '../../support/simulator'
import { taskLike } from '../../support/task'

test('an identical request gets its task, whatever its white space and order of fields, and buys nothing', async () => {
  const { api } = await openAccount()
  const [body, idempotencyKey] = [smallRequest(), crypto.randomUUID()]
  const first = await api.generate(body, { idempotencyKey })
  const credits = await api.credits()
  const reordered = JSON.stringify(Object.fromEntries(Object.entries(body).toReversed()), null, 4)
  const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }
  const again = await api.send('POST', '/video/generations', { headers, body: reordered })
  expect([first.status, again.status]).toEqual([202, 200])
  expect(again.body.id).toBe(first.body.id)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(await api.credits()).toBe(credits)
  expect(await simulator.submits(body.prompt)).toHaveLength(1)
})

test('a replay succeeds with an empty balance and three unfinished tasks', async () => {
  const { api } = await openAccount({ credits: 400 })
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const body = { model: 'alpha-h3', prompt, duration: 15, resolution: '768p' }
  const idempotencyKey = crypto.randomUUID()
  const first = await api.generate(body, { idempotencyKey })
  expect(first.status).toBe(202)
  // Spends what is left, up to three unfinished.
  const second = await api.generate(body)
  const third = await api.generate(body)
  const fourth = await api.generate(body)
  expect([second.status, third.status, fourth.status]).toEqual([202, 202, 429])
  expect((await api.generate(body, { idempotencyKey })).body.id).toBe(first.body.id)
})

test('the replay of a failed task is that failed task', async () => {
  const { api } = await openAccount()
  const [prompt, idempotencyKey] = [ownWords(), crypto.randomUUID()]
  await simulator.behave(prompt, [{ name: 'refuse_content' }])
  const refused = await api.generate(smallRequest({ prompt }), { idempotencyKey })
  const taskId = refused.body.error?.details?.task_id ?? ''
  await api.taskOnce(taskId, task => task.billing_status === 'refunded')
  const again = await api.generate(smallRequest({ prompt }), { idempotencyKey })
  expect(again.status).toBe(200)
  expect(again.body).toEqual(
    taskLike({
      id: taskId,
      status: 'failed',
      credits_refunded: again.body.credits_used,
      error: { code: 'prompt_rejected', message: expect.any(String) as never },
      billing_status: 'refunded',
    }) as never,
  )
})

test('a twin that comes while the first is being admitted waits for the same outcome', async () => {
  const { api } = await openAccount()
  const [prompt, idempotencyKey] = [ownWords(), crypto.randomUUID()]
  await simulator.behave(prompt, [{ name: 'accept_late', delay_ms: 500 }, { name: 'instant' }])
  const body = smallRequest({ prompt })
  const answers = await Promise.all([1, 2, 3].map(() => api.generate(body, { idempotencyKey })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 202])
  expect(new Set(answers.map(answer => answer.body.id)).size).toBe(1)
  expect(await simulator.submits(prompt)).toHaveLength(1)
})
