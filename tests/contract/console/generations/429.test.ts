import { expect, test } from 'bun:test'
import { openAccount } from '../../../support/client/account'
import { consoleOf } from '../../../support/client/console'
import { expectError, untilRefused } from '../../../support/client/errors'
import { ownWords, smallRequest } from '../../../support/client/request'
import { audit } from '../../../support/operator/operator'
import { settings } from '../../../support/settings'
import { simulator } from '../../../support/simulator'

test('fifty generations at once, with the API’s beside them, are never more than three, nor more than the credits', async () => {
  const { api, accountId } = await openAccount({ credits: 10_000, starterCredits: 5 })
  const webs = [settings.serviceUrls.gateway, new URL(settings.secondUrl).origin].map(base => consoleOf(accountId, base))
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const request = () => smallRequest({ prompt })
  const answers = await Promise.all([
    ...Array.from({ length: 50 }, (_, n) => webs[n % 2]?.generate(request())),
    ...Array.from({ length: 10 }, () => api.generate(request())),
  ])
  const taken = answers.filter(answer => answer?.status === 202)
  expect(taken).toHaveLength(3)
  for (const answer of answers) if (answer && answer.status !== 202) expectError(answer, 429, 'unfinished_task_limit')
  expect(await webs[0]?.account()).toMatchObject({ unfinished: 3 })
  expect(await simulator.submits(prompt)).toHaveLength(3)
  expect(await audit()).toEqual([])
})

test('an account has a bucket of its own for the console, like that of a key', async () => {
  const { api, accountId } = await openAccount({ credits: 0 })
  const web = consoleOf(accountId)
  const { refused, answered } = await untilRefused(() => web.generate({}))
  expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([400]))
  expectError(refused, 429, 'rate_limited')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await api.get('/credits')).status).toBe(200)
  expect((await web.ask('GET', '/tasks')).status).toBe(200)
})
