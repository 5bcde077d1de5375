import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type TestDatabase, testDatabase, testLog, until } from '@filmgate/kit/testing'
import { insertAttempts } from '../attempt/attempt-repository'
import type { Progress } from '../providers/connector'
import { newAttemptId } from '../testing/attempt-id'
import { newTaskId } from '../testing/test-system'
import { createKeepProgress, isNews } from './keep-progress'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database.drop())

const before: Parameters<typeof isNews>[0] = { id: 'at_1', provider: 'fal', phase: null, queuePosition: null, percent: null }
const news = (told: Progress, was: Partial<typeof before> = {}) => isNews({ ...before, ...was }, told)

test('a phase, a place or a part that differs is news; a poll that hears nearly the same is none', () => {
  expect(news({ phase: 'queued' })).toBe(true)
  expect(news({ phase: 'queued' }, { phase: 'queued' })).toBe(false)
  const queued = { phase: 'queued', queuePosition: 100 }
  expect([99, 91, 90, 111].map(queuePosition => news({ phase: 'queued', queuePosition }, queued))).toEqual([false, false, true, true])
  expect(news({ phase: 'queued', queuePosition: 1 }, { phase: 'queued', queuePosition: 2 })).toBe(true)
  expect(news({ phase: 'queued', queuePosition: 0 }, { phase: 'queued', queuePosition: 0 })).toBe(false)
  const generating = { phase: 'generating', percent: 40 }
  expect([40, 44, 45, 30].map(percent => news({ phase: 'generating', percent }, generating))).toEqual([false, false, true, true])
  expect(news({ phase: 'generating', percent: 0 }, { phase: 'generating' })).toBe(true)
})

async function insert(state: 'accepted' | 'completed'): Promise<string> {
  const id = newAttemptId()
  const names = { provider: 'fal', providerModel: 'm', model: 'm', traceparent: null, code: null, cause: null }
  const source = { topic: 'credits' as const, bytes: new Uint8Array() }
  const fixed = { number: 1, state: 'sending' as const, uploads: false, absenceAfterMs: 60_000, generationMsMax: 0 }
  await insertAttempts(database.sql, [{ id, taskId: newTaskId(), accountId: 'acc', ...fixed, source, ...names }], {
    owner: 'test',
    leaseMs: 1,
  })
  await database.sql`update attempt set state = ${state}, provider_task_id = id, output_key = id where id = ${id}`
  return id
}

const told = (id: string) =>
  database.sql`select phase, queue_position, percent, progress_at is not null as at from attempt where id = ${id}`

test('what is told of attempts that run is kept, and of one that has ended meanwhile is not', async () => {
  const [one, two, ended] = [await insert('accepted'), await insert('accepted'), await insert('completed')]
  const keep = createKeepProgress({ sql: database.sql, log: testLog })
  keep({ ...before, id: ended }, { phase: 'generating', percent: 99 })
  keep({ ...before, id: one }, { phase: 'queued', queuePosition: 7 })
  await until('the first is written', async () => (await told(one))[0]?.phase === 'queued')
  keep({ ...before, id: one, phase: 'queued', queuePosition: 7 }, { phase: 'generating', percent: 12 })
  keep({ ...before, id: two }, undefined)
  await until('the next is written', async () => (await told(one))[0]?.phase === 'generating')
  expect([...(await told(one))]).toEqual([{ phase: 'generating', queue_position: null, percent: 12, at: true }])
  expect([...(await told(two)), ...(await told(ended))]).toEqual(
    Array(2).fill({ phase: null, queue_position: null, percent: null, at: false }),
  )
})
