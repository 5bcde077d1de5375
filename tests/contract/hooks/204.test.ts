import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { settings } from '../../support/settings'
import { until } from '../../support/until'

test('of a callback its provider and its token are kept, and nothing of what it says', async () => {
  const token = `at_${crypto.randomUUID().replaceAll('-', '')}`
  const words = `unauthenticated ${crypto.randomUUID()} `.repeat(1_000)
  const answer = await fetch(new URL(`/hooks/simulator/${token}`, settings.url), { method: 'POST', body: words })
  expect([answer.status, await answer.text()]).toEqual([204, ''])
  const sql = postgres(settings.postgresUrl.replace(/\/[^/]*$/, '/filmgate_gateway'), { max: 1 })
  // It stands in the outbox for some milliseconds only, and for a week where published events are kept.
  const kept = await until(
    'the hint',
    async () => (await sql<{ value: Buffer }[]>`select value from outbox_published where key = ${token}`)[0],
  )
  await sql.end()
  expect(kept.value.includes(`simulator`) && kept.value.includes(token)).toBe(true)
  expect(kept.value.length).toBeLessThan(100)
})
