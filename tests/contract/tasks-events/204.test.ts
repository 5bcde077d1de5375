import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { ownWords, smallRequest } from '../../support/client/request'
import { followTask } from '../../support/events/event-stream'
import { simulator } from '../../support/simulator'

test('a stream that is asked for behind the last event of a task has nothing to say; behind an earlier one it has the rest', async () => {
  const { api, apiKey } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const { id } = (await api.generate(smallRequest({ prompt }))).body
  await api.taskOnce(id)
  const headers = { accept: 'text/event-stream' }
  const whole = await api.get(`/tasks/${id}/events`, headers)
  const ids = [...whole.text.matchAll(/^id: (.*)$/gm)].map(([, one]) => one)
  expect(ids).toEqual(ids.map((_, index) => String(index + 1)))
  const rest = await api.get(`/tasks/${id}/events`, { ...headers, 'last-event-id': '1' })
  expect([...rest.text.matchAll(/^id: (.*)$/gm)].map(([, one]) => one)).toEqual(ids.slice(1))
  const none = await api.get(`/tasks/${id}/events`, { ...headers, 'last-event-id': ids.at(-1) ?? '' })
  expect([none.status, none.text]).toEqual([204, ''])
  expect((await followTask(apiKey, id, { after: '999999999' })).status).toBe(204)
})
