import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'
import { ownWords, smallRequest } from '../../support/client/request'
import { taskLike } from '../../support/client/task'
import { simulator } from '../../support/simulator'

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

test('tags are no part of what a key compares: a replay with others, or with none, is the same task', async () => {
  const { api } = await openAccount()
  const [body, key] = [smallRequest(), crypto.randomUUID()]
  await simulator.behave(body.prompt, [{ name: 'instant' }])
  const send = (tags?: string) =>
    api.send('POST', '/video/generations', {
      headers: { 'content-type': 'application/json', 'idempotency-key': key, ...(tags && { 'filmgate-tags': tags }) },
      body: JSON.stringify(body),
    })
  const answers = [await send('project=spring,shot=12'), await send('project=autumn'), await send()]
  expect(answers.map(({ status }) => status)).toEqual([202, 200, 200])
  expect(new Set(answers.map(answer => answer.body.id)).size).toBe(1)
  for (const answer of answers) expect(Object.keys(answer.body)).not.toContain('tags')
})

test('a replay succeeds with an empty balance and three unfinished tasks', async () => {
  const prompt = ownWords()
  const body = smallRequest({ prompt })
  const { credits } = JSON.parse((await (await openAccount()).api.estimate(body)).text)
  const { api } = await openAccount({ credits: 3 * credits })
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const idempotencyKey = crypto.randomUUID()
  const first = await api.generate(body, { idempotencyKey })
  const others = [await api.generate(body), await api.generate(body)]
  expect([first, ...others].map(({ status }) => status)).toEqual([202, 202, 202])
  expect(await api.credits()).toBe(0)
  expectError(await api.generate(body), 429, 'unfinished_task_limit')
  const replay = await api.generate(body, { idempotencyKey })
  expect([replay.status, replay.body.id, replay.headers.get('idempotent-replayed')]).toEqual([200, first.body.id, 'true'])
  expect(await simulator.submits(prompt)).toHaveLength(3)
})

test('a replay is answered whatever became of the price since: max_credits is not compared again', async () => {
  const { api } = await openAccount()
  const [body, idempotencyKey] = [smallRequest(), crypto.randomUUID()]
  await simulator.behave(body.prompt, [{ name: 'instant' }])
  const { credits } = JSON.parse((await api.estimate(body)).text)
  const first = await api.generate({ ...body, max_credits: credits }, { idempotencyKey })
  const replay = await api.generate({ ...body, max_credits: credits }, { idempotencyKey })
  expect([first.status, replay.status, replay.body.id]).toEqual([202, 200, first.body.id])
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
