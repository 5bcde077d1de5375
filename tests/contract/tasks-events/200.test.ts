import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { ownWords, smallRequest } from '../../support/client/request'
import { followTask, type TaskEvent } from '../../support/events/event-stream'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'

const listOf = (text: string): TaskEvent[] => JSON.parse(text).data
const withoutTimes = (events: TaskEvent[]) => events.map(({ at, ...event }) => event)

test('the events of a task as a list, while it runs and when it has ended, and the same as a stream', async () => {
  const { api, apiKey } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const { id, credits_used } = (await api.generate(smallRequest({ prompt }))).body
  const running = await api.get(`/tasks/${id}/events`)
  expect([running.status, running.headers.get('retry-after'), running.headers.get('vary')]).toEqual([200, '10', 'Accept'])
  const queued = { id: '1', type: 'queued', credits_used }
  expect(withoutTimes(listOf(running.text))).toEqual([queued, { id: '2', type: 'accepted' }])
  const stream = await followTask(apiKey, id)
  expect([stream.status, stream.headers.get('content-type'), stream.headers.get('cache-control')]).toEqual([
    ...[200, 'text/event-stream', 'no-store'],
  ])
  const [submit] = await simulator.submits(prompt)
  await simulator.release(submit?.generation_id ?? '')
  await until('the end of the stream', async () => stream.ended)
  expect(stream.ended).toBe('whole')
  const { body } = await api.task(id)
  const ended = await api.get(`/tasks/${id}/events`)
  expect([ended.headers.get('retry-after'), listOf(ended.text)]).toEqual([null, stream.events])
  expect(withoutTimes(stream.events)).toEqual([
    ...[queued, { id: '2', type: 'accepted' }, { id: '3', type: 'copying' }],
    { id: '4', type: 'completed', credits_used, credits_refunded: 0, video_url: body.output?.video_url ?? '' },
  ])
})

test('a task that fails is told with its error, then its refund', async () => {
  const { api, apiKey } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'moderated', delay_ms: 0 }])
  const { id, credits_used } = (await api.generate(smallRequest({ prompt }))).body
  const stream = await followTask(apiKey, id)
  await until('the end of the stream', async () => stream.ended)
  const { error } = (await api.task(id)).body
  expect(withoutTimes(stream.events.slice(-2))).toEqual([
    { id: '3', type: 'failed', error: { code: 'output_moderated', message: error?.message ?? '' } },
    { id: '4', type: 'refunded', credits_refunded: credits_used },
  ])
})

test('a stream counts as one request, however long it is', async () => {
  const { api, apiKey } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const { id } = (await api.generate(smallRequest({ prompt }))).body
  const left = ({ headers }: { headers: Headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
  const stream = await followTask(apiKey, id)
  await until('the first events', async () => stream.events.length === 2)
  const [submit] = await simulator.submits(prompt)
  await simulator.release(submit?.generation_id ?? '')
  await until('the end of the stream', async () => stream.ended)
  expect(left(await api.get('/credits'))).toBe(left(stream) - 1)
})
