import { expect, test } from 'bun:test'
import { openAccount } from '../../support/account'
import { expectError } from '../../support/errors'
import { ownWords, smallRequest } from '../../support/request'
import { simulator } from '../../support/simulator'

test('another account’s task, an unknown one and an id of another form answer alike to the byte', async () => {
  const [owner, stranger] = await Promise.all([openAccount(), openAccount()])
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const { id } = (await owner.api.generate(smallRequest({ prompt }))).body
  const answers = await Promise.all([id, `vt_${'a'.repeat(26)}`, 'nonsense', 'x'.repeat(120)].map(each => stranger.api.task(each)))
  for (const answer of answers) expectError(answer, 404, 'task_not_found')
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
})

test('a request that was refused before credits were reserved left no task', async () => {
  const { api } = await openAccount({ credits: 0 })
  const refused = await api.generate(smallRequest())
  expect(refused.body.error?.details?.task_id).toBeUndefined()
})
