import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { type TestDatabase, testDatabase } from '@filmgate/kit/testing'
import type { State } from '../attempt/attempt'
import { attemptJob, cancelJob } from '../attempt/jobs'
import type { Transition } from '../attempt/transition'
import { unlessCancelled } from './unless-cancelled'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database.drop())

const now = () => new Date(0)
const withSuccessor = (taskId: string, to: State): Transition =>
  ({
    ...{ attempt: { id: 'at_1', taskId, accountId: 'a', state: 'sending' }, job: { kind: attemptJob, id: 'at_1' }, to },
    ...{ columns: { code: 'generation_unavailable', cause: 'words' }, after: { next: 'successor', planned: {} } },
  }) as Transition

test('while a cancel waits nothing is tried again: what a provider refused is refused, what it had taken has failed', async () => {
  await insertJobs(database.sql, [{ kind: cancelJob, id: 'vt_cancelled' }])
  const end = async (to: State) => {
    const { columns, events, after } = await unlessCancelled({ sql: database.sql, now }, withSuccessor('vt_cancelled', to))
    return [columns, events?.map(({ case: name, value }) => [name, value && 'code' in value && value.code]), after]
  }
  const columns = { code: 'cancelled', cause: 'words' }
  expect(await end('refused')).toEqual([columns, [['generationRefused', 'cancelled']], { next: 'end' }])
  expect(await end('failed')).toEqual([columns, [['generationFailed', 'cancelled']], { next: 'end' }])
})

test('without a cancel, and where nothing is tried again, a transition stays as it is', async () => {
  const other = withSuccessor('vt_other', 'refused')
  expect(await unlessCancelled({ sql: database.sql, now }, other)).toBe(other)
  const last: Transition = { ...withSuccessor('vt_cancelled', 'refused'), after: { next: 'end' } }
  expect(await unlessCancelled({ sql: database.sql, now }, last)).toBe(last)
})
