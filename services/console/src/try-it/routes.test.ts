import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openConsole, type TestConsole } from '../testing/open-console'
import { tryIt } from './routes'

let site: TestConsole
beforeAll(async () => {
  site = await openConsole(tryIt)
})
afterAll(() => site.close())

const lend = (account: { id: string }, visitor: { id: string } | undefined) =>
  site.ask(visitor, '/try-it', { form: { account: account.id } })

test('a key is lent only after a sign-in of the last quarter of an hour', async () => {
  const account = await site.newAccount()
  await site.rest(account.owner.id)
  for (const asked of [await site.ask(account.owner, '/try-it'), await lend(account, account.owner)])
    expect([asked.status, asked.location]).toEqual([303, expect.stringContaining('/security/confirm?next=')])
  expect(site.gateway.seen).toEqual([])
  expect((await site.ask(account.member, '/try-it')).status).toBe(200)
})
