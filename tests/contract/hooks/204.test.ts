import { expect, test } from 'bun:test'
import { callbackAddress } from '../../support/callback-address'
import { recordOf } from '../../support/servers/topic-records'

test('of a callback its provider and its token are kept, and nothing of what it says', async () => {
  const token = `at_${crypto.randomUUID().replaceAll('-', '')}`
  const words = `unauthenticated ${crypto.randomUUID()} `.repeat(1_000)
  const answer = await fetch(callbackAddress('simulator', token), { method: 'POST', body: words })
  expect([answer.status, await answer.text()]).toEqual([204, ''])
  const hint = await recordOf('callbacks', token)
  expect(hint.includes(`simulator`) && hint.includes(token)).toBe(true)
  expect(hint.length).toBeLessThan(100)
})
