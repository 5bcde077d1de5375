import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type TestDatabase, testDatabase } from '@filmgate/kit/testing'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { ended, testOrder } from '../testing/orders'
import { deleteKind } from '../verification/jobs'
import { planDeletions } from './plan-deletions'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database.drop())

const jobsOf = async ({ taskId }: Order, kind: string) => [
  ...(await database.sql<{ due: boolean }[]>`select run_at <= now() as due from job where id = ${taskId} and kind = ${kind}`),
]

test('copies are deleted at once if no provider accepted the task, later if it ended; tasks without copies get no job', async () => {
  const [refused, finished, unknown] = [testOrder(), testOrder(), testOrder()]
  for (const { taskId, accountId } of [refused, finished])
    await database.sql`insert into verification (task_id, account_id, state) values (${taskId}, ${accountId}, 'verified')`
  const planningDeletions = { sql: database.sql, inputsKeptMs: 86_400_000, wake: () => undefined }
  const events = [
    ended(refused.taskId, 'generationRefused'),
    ended(finished.taskId, 'generationCompleted'),
    ended(unknown.taskId, 'generationFailed'),
  ]
  await planDeletions(planningDeletions, events)
  await planDeletions(planningDeletions, events)
  expect(await jobsOf(refused, deleteKind)).toEqual([{ due: true }])
  expect(await jobsOf(finished, deleteKind)).toEqual([{ due: false }])
  expect(await jobsOf(unknown, deleteKind)).toHaveLength(0)
})
