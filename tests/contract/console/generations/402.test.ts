import { expect, test } from 'bun:test'
import { openAccount } from '../../../support/client/account'
import { consoleOf } from '../../../support/client/console'
import { expectError } from '../../../support/client/errors'
import { smallRequest } from '../../../support/client/request'

test('both balances together are too low: refused with what both have; starter credits alone fund the console and never the API', async () => {
  const { api, accountId } = await openAccount({ credits: 1, starterCredits: 1 })
  const web = consoleOf(accountId)
  expect(expectError(await web.generate(smallRequest()), 402, 'insufficient_credits')).toMatchObject({ available_credits: 2 })
  const { api: other, accountId: starterOnly } = await openAccount({ credits: 0, starterCredits: 1_000 })
  expectError(await other.generate(smallRequest()), 402, 'insufficient_credits')
  expect((await consoleOf(starterOnly).generate(smallRequest())).status).toBe(202)
  expect(await api.credits()).toBe(1)
})
