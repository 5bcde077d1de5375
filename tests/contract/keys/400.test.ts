import { expect, test } from 'bun:test'
import { openAccount } from '../../support/client/account'
import { expectError } from '../../support/client/errors'
import { askOperator } from '../../support/operator/operator'

const hourMs = 3_600_000

test('a key’s end is a moment of RFC 3339 that is still to come, or the key is not made', async () => {
  const { accountId } = await openAccount()
  const ask = (expires_at: unknown) => askOperator('gateway', 'POST', `/accounts/${accountId}/keys`, { name: 'another', expires_at })
  const soon = new Date(Date.now() + hourMs).toISOString()
  const unreadable = [
    '1',
    '2999',
    '2999-01-01',
    '2999-01-01T00:00',
    '2999-01-01T00:00:00',
    '2999-02-30T00:00:00Z',
    'tomorrow',
    '',
    '+12999-01-01T00:00:00Z',
  ]
  for (const text of unreadable) {
    const refused = await ask(text)
    expect([text, expectError(refused, 400, 'invalid_request')]).toEqual([
      text,
      {
        issues: [
          { path: 'expires_at', rule: 'date-time', message: 'expires_at must be a moment of RFC 3339 such as 2027-01-31T08:30:00Z' },
        ],
      },
    ])
  }
  for (const past of ['2001-01-01T00:00:00Z', new Date(Date.now() - 1_000).toISOString()])
    expect(expectError(await ask(past), 400, 'invalid_request')).toEqual({
      issues: [{ path: 'expires_at', rule: 'future', message: 'expires_at must be in the future' }],
    })
  const listed = await askOperator('gateway', 'GET', `/accounts/${accountId}/keys`)
  expect((listed.body as unknown as { data: unknown[] }).data).toHaveLength(1)
  for (const text of [soon, soon.replace('Z', '+00:00'), '2999-01-01t00:00:00.123456-07:00']) expect((await ask(text)).status).toBe(200)
})
