import { expect, test } from 'bun:test'
import { addKey, openAccount } from '../../support/client/account'
import { ownWords, smallRequest } from '../../support/client/request'
import { taskLike } from '../../support/client/task'
import { simulator } from '../../support/simulator'
import { timed } from '../../support/until'

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

test('Prefer: wait holds the answer until the task changes, and no longer than it says', async () => {
  const { api } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const { id } = (await api.generate(smallRequest({ prompt }))).body
  let answered = false
  const held = timed(api.get(`/tasks/${id}`, { prefer: 'wait=30' })).finally(() => {
    answered = true
  })
  const briefly = await timed(api.get(`/tasks/${id}`, { prefer: 'respond-async, wait=2' }))
  expect([briefly.answer.status, briefly.answer.headers.get('preference-applied')]).toEqual([200, 'wait=2'])
  expect(briefly.answer.body.status).toBe('processing')
  expect(briefly.ms).toBeGreaterThanOrEqual(1_990)
  expect(briefly.ms).toBeLessThan(10_000)
  expect(answered).toBe(false)
  const [submit] = await simulator.submits(prompt)
  await simulator.release(submit?.generation_id ?? '')
  const { answer, ms } = await held
  expect([answer.status, answer.headers.get('preference-applied'), answer.body.status]).toEqual([200, 'wait=30', 'completed'])
  expect(ms).toBeLessThan(30_000)
})

test('a task that has ended, and a wait that is none, are answered at once; a wait is at most a minute', async () => {
  const { api } = await openAccount()
  const [ended, running] = [smallRequest(), smallRequest()]
  await simulator.behave(ended.prompt, [{ name: 'instant' }])
  await simulator.behave(running.prompt, [{ name: 'never_finishes' }])
  const [first, second] = [(await api.generate(ended)).body.id, (await api.generate(running)).body.id]
  await api.taskOnce(first)
  for (const [id, prefer] of [
    [first, 'wait=60'],
    [second, 'wait=0'],
    [second, 'wait=-1'],
    [second, 'wait=soon'],
    [second, 'await=9'],
  ] as const) {
    const { answer, ms } = await timed(api.get(`/tasks/${id}`, { prefer }))
    expect([prefer, answer.status, answer.headers.get('preference-applied')]).toEqual([prefer, 200, null])
    expect(ms).toBeLessThan(5_000)
  }
  const held = api.get(`/tasks/${second}`, { prefer: 'wait=3600' })
  const [submit] = await simulator.submits(running.prompt)
  await simulator.release(submit?.generation_id ?? '')
  expect((await held).headers.get('preference-applied')).toBe('wait=60')
})
