import { expect, test } from 'bun:test'
import { addKey, openAccount } from '../../support/account'
import { ownWords, smallRequest } from '../../support/request'
import { simulator } from '../../support/simulator'
import { taskLike } from '../../support/task'

test('a task as it runs and when it is completed, for every key of its account', async () => {
  const { api, accountId } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const { id } = (await api.generate(smallRequest({ prompt }))).body
  const running = await api.task(id)
  expect(running.body).toEqual(taskLike({ id }) as never)
  expect(running.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  const [submit] = await simulator.submits(prompt)
  await simulator.release(submit?.generation_id ?? '')
  const completed = await api.taskOnce(id)
  expect(completed).toEqual(
    taskLike({
      id,
      status: 'completed',
      output: { video_url: expect.stringMatching(/^https?:\/\//) as never },
      billing_status: 'settled',
    }) as never,
  )
  const seen = await (await addKey(accountId)).task(id)
  expect([seen.status, seen.body.id, seen.headers.get('retry-after')]).toEqual([200, id, null])
})

test('Prefer: wait holds the answer until the task changes', async () => {
  const { api } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const { id } = (await api.generate(smallRequest({ prompt }))).body
  const held = api.get(`/tasks/${id}`, { prefer: 'wait=30' })
  const [submit] = await simulator.submits(prompt)
  await simulator.release(submit?.generation_id ?? '')
  const answer = await held
  expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, 'wait=30'])
  const briefly = await api.get(`/tasks/${id}`, { prefer: 'wait=1' })
  expect(briefly.status).toBe(200)
})
