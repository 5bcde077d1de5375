import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'
import { ownWords, smallRequest } from '../../support/client/request'
import { moveToWeb, taskIdsOf } from '../../support/servers/databases'
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

test('a request that was refused before credits were reserved left no task that its client could read', async () => {
  const { api, accountId } = await openAccount({ credits: 0 })
  const refused = await api.generate(smallRequest())
  expect(Object.keys(expectError(refused, 402, 'insufficient_credits'))).toEqual(['required_credits', 'available_credits'])
  const [declined = '', ...others] = await taskIdsOf(accountId)
  expect([declined, others]).toEqual([expect.stringMatching(/^vt_/), []])
  expectError(await api.task(declined), 404, 'task_not_found')
  for (const list of ['/tasks', '/tasks?status=failed', '/usage', '/usage/summary']) expect(dataOf(await api.get(list))).toEqual([])
})

test('a task of the web’s surface is not the API’s: neither read nor listed', async () => {
  const { api } = await openAccount()
  const [ofWeb, ofApi] = await Promise.all(
    [ownWords(), ownWords()].map(async prompt => {
      await simulator.behave(prompt, [{ name: 'instant' }])
      const { id } = (await api.generate(smallRequest({ prompt }))).body
      await api.taskOnce(id)
      return id
    }),
  )
  await moveToWeb(ofWeb ?? '')
  const [hidden, unknown] = [await api.task(ofWeb ?? ''), await api.task(`vt_${'a'.repeat(26)}`)]
  expectError(hidden, 404, 'task_not_found')
  expect(hidden.text).toBe(unknown.text)
  for (const list of ['/tasks', '/tasks?status=completed']) expect(dataOf(await api.get(list)).map(({ id }) => id)).toEqual([ofApi ?? ''])
})

const dataOf = ({ text }: { text: string }): { id: string }[] => JSON.parse(text).data
