import { expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { ownWords } from '../support/client/request'
import { simulator } from '../support/simulator'
import { without } from '../support/stack'

test('the output is the service’s own copy: not the maker’s address, and there although the maker is gone', async () => {
  const { api } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const { body } = await api.generate({ model: 'alpha-h3', prompt })
  const { output } = await api.taskOnce(body.id)
  const [submit] = await simulator.submits(prompt)
  expect(submit?.generation_id).toBeString()
  expect(output?.video_url).not.toContain(String(submit?.generation_id))
  expect(output?.video_url).toMatch(/\/[0-9a-f]{40}\.mp4$/)
  const answer = await without('simulator', 'stop', () => fetch(output?.video_url ?? ''))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'video/mp4'])
})
