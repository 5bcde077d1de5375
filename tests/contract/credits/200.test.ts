import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'

test('the paid balance alone', async () => {
  const { api } = await openAccount({ credits: 123, starterCredits: 45 })
  const answer = await api.get('/credits')
  expect([answer.status, answer.text]).toEqual([200, '{"available_credits":123,"balance_type":"paid"}'])
})
