import { expect, spyOn, test } from 'bun:test'
import type { Call, Json } from '../operator-api'
import { accountChange } from './account'

const change = { kind: 'debit' as const, accountId: 'acct/1', credits: 5, balance: 'paid', reason: 'charged back', by: 'ada' }

/** An operator's API that never answers, as far as the caller can tell. */
function silent() {
  const sent: { path: string; body: Json }[] = []
  const call: Call = async (_, __, path, body) => {
    sent.push({ path, body: body ?? null })
    throw new Error('timed out')
  }
  return { sent, call }
}

test('the id made for a change is printed before it is sent, so that a command that timed out can be repeated', async () => {
  const printed: string[] = []
  const print = spyOn(console, 'error').mockImplementation((line: string) => void printed.push(line))
  const { sent, call } = silent()
  await expect(accountChange(call, change)).rejects.toThrow('timed out')
  print.mockRestore()
  const id = /--id ([0-9a-f-]{36})$/.exec(printed[0] ?? '')?.[1] ?? ''
  expect(sent).toEqual([
    { path: '/accounts/acct%2F1/debits', body: { id, credits: 5, balance: 'paid', reason: 'charged back', by: 'ada' } },
  ])
})

test('an id that was given is sent as it is', async () => {
  const { sent, call } = silent()
  await expect(accountChange(call, { ...change, kind: 'grant', id: 'order-7' })).rejects.toThrow('timed out')
  expect(sent).toMatchObject([{ path: '/accounts/acct%2F1/grants', body: { id: 'order-7' } }])
})
