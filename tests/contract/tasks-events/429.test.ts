import { expect, test } from 'bun:test'
import { addKey, createKey, openAccount } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { expectError, retryAfterSeconds } from '../../support/client/errors'
import { ownWords, smallRequest } from '../../support/client/request'
import { followTask } from '../../support/events/event-stream'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'

const streamsPerKeyMax = 20

test('a key follows twenty tasks at once, each key its own; the next is refused until one of them ends, and reads go on', async () => {
  const { api, accountId } = await openAccount()
  const { api_key: apiKey } = await createKey(accountId)
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const { id } = (await api.generate(smallRequest({ prompt }))).body
  const streams = await Promise.all(Array.from({ length: streamsPerKeyMax }, () => followTask(apiKey, id)))
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
  const own = createApi(apiKey)
  const refused = await own.get(`/tasks/${id}/events`, { accept: 'text/event-stream' })
  expect(expectError(refused, 429, 'rate_limited')).toEqual({ limit: 'event_streams' })
  expect(retryAfterSeconds(refused)).toBe(10)
  expect((await own.get(`/tasks/${id}/events`)).status).toBe(200)
  const ofAnother = await addKey(accountId)
  expect((await ofAnother.task(id)).status).toBe(200)
  streams[0]?.leave()
  await until('a place to be free', async () => {
    const stream = await followTask(apiKey, id)
    stream.leave()
    return stream.status === 200
  })
  const [submit] = await simulator.submits(prompt)
  await simulator.release(submit?.generation_id ?? '')
  await until('all streams to end', async () => streams.slice(1).every(({ ended }) => ended === 'whole'))
})
