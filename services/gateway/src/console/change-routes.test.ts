import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@filmgate/kit/testing'
import { consoleApi } from './testing/console-api'

let api: Awaited<ReturnType<typeof consoleApi>>
beforeAll(async () => {
  api = await consoleApi()
})
afterAll(() => api?.close())

/** As if the ledger had decided, so that nobody waits for it. */
const decide = (id: string) => api.sql`
  update credit_change set state = 'applied', available = 1, starter = 0, owed = 0, decided_at = now() where id = ${id}`

test('a debit’s id stands for what it may take: within the balance and beyond it are two, and the second is refused', async () => {
  const account = await api.open()
  const path = (id: string) => `/accounts/${account}/debits/${id}`
  const terms = { credits: 40, balance: 'paid', reason: 'refund re_1 is succeeded' }
  for (const [first, second] of [
    [true, false],
    [false, true],
  ]) {
    const id = `stripe:re_${crypto.randomUUID()}`
    const asking = api.ask('PUT', path(id), { body: { ...terms, beyond_balance: first } })
    await until('the change', async () => (await decide(id)).count > 0)
    expect(await asking).toMatchObject({ status: 200, body: { state: 'applied', beyond_balance: first } })
    expect(await api.ask('PUT', path(id), { body: { ...terms, beyond_balance: second } })).toMatchObject({
      status: 409,
      body: { error: { code: 'change_id_reused' } },
    })
    expect(await api.ask('PUT', path(id), { body: { ...terms, beyond_balance: first } })).toMatchObject({ status: 200 })
  }
  const changes = () => api.sent(account).flatMap(({ case: one }) => (one === 'creditsDebited' || one === 'changeIdReused' ? [one] : []))
  await until('all is sent', () => changes().length >= 4)
  expect(changes()).toEqual(['creditsDebited', 'changeIdReused', 'creditsDebited', 'changeIdReused'])
})
