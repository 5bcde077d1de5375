import { expect, test } from 'bun:test'
import { openAccount } from '../../../support/client/account'
import { consoleOf } from '../../../support/client/console'
import { audit } from '../../../support/operator/operator'
import { settings } from '../../../support/settings'

test('a person who asks fifty times at once, on two accounts and at two gateways, is granted starter credits once', async () => {
  const accounts = await Promise.all([openAccount({ credits: 0 }), openAccount({ credits: 0 })])
  const bases = [settings.serviceUrls.gateway, new URL(settings.secondUrl).origin]
  const webs = accounts.flatMap(({ accountId }) => bases.map(base => consoleOf(accountId, base)))
  const person = `p-${crypto.randomUUID()}`
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => webs[n % 4]?.ask('POST', '/starter-credits', { person })))
  const granted = answers.map(answer => JSON.parse(answer?.text ?? '')).filter(({ granted }) => granted)
  expect(granted).toHaveLength(1)
  const starters = await Promise.all(accounts.map(async ({ accountId }) => (await consoleOf(accountId).account()).starter_credits))
  expect(starters.toSorted()).toEqual([0, granted[0].credits])
  expect(await audit()).toEqual([])
})
