import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { testDatabase } from '@filmgate/kit/testing'
import { measureReviews } from './review-repository'

const database = await testDatabase(join(import.meta.dir, '../../migrations'))
afterAll(() => database.drop())

test('open reviews are counted by their age; those that ended are not', async () => {
  const { sql } = database
  expect([...(await measureReviews(sql))]).toEqual([])
  const ages = ['1 minute', '59 minutes', '61 minutes', '23 hours', '25 hours', null]
  for (const [number, age] of ages.entries())
    await sql`
      insert into attempt (id, task_id, account_id, number, provider, provider_model, model, state, absence_proves_at, review_since)
      values (${`at_${number}`}, 'vt_1', 'acct_1', ${number + 1}, 'fal', 'm', 'm', 'unknown', now(), now() - ${age}::text::interval)`
  expect([...(await measureReviews(sql))]).toEqual([
    { provider: 'fal', count: 5, overHour: 3, overDay: 1, oldestSeconds: expect.closeTo(25 * 3_600, -2) },
  ])
})
