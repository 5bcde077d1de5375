import { expect, test } from 'bun:test'
import { recordOf } from '../../support/servers/topic-records'
import { settings } from '../../support/settings'

test('of a callback its provider and its token are kept, and nothing of what it says', async () => {
  const token = `at_${crypto.randomUUID().replaceAll('-', '')}`
  const words = `unauthenticated ${crypto.randomUUID()} `.repeat(1_000)
  const answer = await fetch(new URL(`/hooks/simulator/${token}`, settings.url), { method: 'POST', body: words })
  expect([answer.status, await answer.text()]).toEqual([204, ''])
  const hint = await recordOf('callbacks', token)
  expect(hint.includes(`simulator`) && hint.includes(token)).toBe(true)
  expect(hint.length).toBeLessThan(100)
})
