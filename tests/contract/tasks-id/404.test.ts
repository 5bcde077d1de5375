import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { consoleOf } from '../../support/client/console'
import { expectError } from '../../support/client/errors'
import { ownWords, smallRequest } from '../../support/client/request'
import { taskIdsOf } from '../../support/servers/databases'
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
  const { api, accountId } = await openAccount()
  const web = consoleOf(accountId)
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const [ofWeb, ofApi] = await Promise.all([web.generate(smallRequest({ prompt })), api.generate(smallRequest({ prompt }))])
  await Promise.all([web.taskOnce(ofWeb.body.id), api.taskOnce(ofApi.body.id)])
  const [hidden, unknown] = [await api.task(ofWeb.body.id), await api.task(`vt_${'a'.repeat(26)}`)]
  expectError(hidden, 404, 'task_not_found')
  expect(hidden.text).toBe(unknown.text)
  for (const list of ['/tasks', '/tasks?status=completed']) expect(dataOf(await api.get(list)).map(({ id }) => id)).toEqual([ofApi.body.id])
  expect(dataOf(await api.get('/usage')).map(record => record.task_id)).not.toContain(ofWeb.body.id)
})

const dataOf = ({ text }: { text: string }): { id: string; task_id: string | null }[] => JSON.parse(text).data
