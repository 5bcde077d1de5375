import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type TestDatabase, testDatabase } from '@filmgate/kit/testing'
import { fillAccepted } from '../testing/fill-accepted'
import { findMustKnow } from './provider-health-repository'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database?.drop())

test('what a provider must show comes newest first by when it was sent, not by its order’s age: an old order may be sent after a new one', async () => {
  const { sql } = database
  const ids = (await fillAccepted(sql, 'one', 3, 60_000)).toSorted()
  const [oldest = '', middle = '', newest = ''] = ids
  await fillAccepted(sql, 'other', 1, 60_000)
  for (const [id, minutesAgo] of Object.entries({ [oldest]: 2, [middle]: 3, [newest]: 4 }))
    await sql`update attempt set created_at = now() - ${minutesAgo} * interval '1 minute' where id = ${id}`
  const find = (ageMs: number, limit = 3) => findMustKnow(sql, { provider: 'one', visibilityMs: 1_000, ageMs, byOwnId: false, limit })
  expect((await find(3_600_000)).map(({ attemptId }) => attemptId)).toEqual([oldest, middle, newest])
  expect((await find(3_600_000, 1)).map(({ attemptId }) => attemptId)).toEqual([oldest])
  expect((await find(210_000)).map(({ attemptId }) => attemptId)).toEqual([oldest, middle])
})
