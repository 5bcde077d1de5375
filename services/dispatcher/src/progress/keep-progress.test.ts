import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Outgoing } from '@filmgate/kit/bus/bus'
import { createOutbox, type Outbox } from '@filmgate/kit/outbox/outbox'
import { type TestDatabase, testDatabase, testLog, until } from '@filmgate/kit/testing'
import { GenerationPhase } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { decode, topics } from '@filmgate/proto/topics'
import { insertAttempts } from '../attempt/attempt-repository'
import type { Progress } from '../providers/connector'
import { newAttemptId } from '../testing/attempt-id'
import { newTaskId } from '../testing/test-system'
import { createKeepProgress, hasChanged } from './keep-progress'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
const outboxes: Outbox[] = []
afterAll(async () => {
  await Promise.all(outboxes.map(outbox => outbox.stop()))
  await database.drop()
})

const attempt = { id: 'at_1', taskId: 'vt_1', accountId: 'acc', number: 1, traceparent: null, provider: 'fal' }
const before: Parameters<typeof hasChanged>[0] = { ...attempt, phase: null, queuePosition: null, percent: null }
const changed = (progress: Progress, was: Partial<typeof before> = {}) => hasChanged({ ...before, ...was }, progress)

test('a phase, a place or a part that differs is a change; a poll that hears nearly the same is none', () => {
  expect(changed({ phase: 'queued' })).toBe(true)
  expect(changed({ phase: 'queued' }, { phase: 'queued' })).toBe(false)
  const queued = { phase: 'queued', queuePosition: 100 }
  expect([99, 91, 90, 111].map(queuePosition => changed({ phase: 'queued', queuePosition }, queued))).toEqual([false, false, true, true])
  expect(changed({ phase: 'queued', queuePosition: 1 }, { phase: 'queued', queuePosition: 2 })).toBe(true)
  expect(changed({ phase: 'queued', queuePosition: 0 }, { phase: 'queued', queuePosition: 0 })).toBe(false)
  const generating = { phase: 'generating', percent: 40 }
  expect([40, 49, 50, 30].map(percent => changed({ phase: 'generating', percent }, generating))).toEqual([false, false, true, true])
  expect(changed({ phase: 'generating', percent: 0 }, { phase: 'generating' })).toBe(true)
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

const storedProgress = (id: string) =>
  database.sql`select phase, queue_position, percent, progress_at is not null as at from attempt where id = ${id}`

function createKeep() {
  const published: { taskId: string; percent?: number | undefined; queuePosition?: number | undefined }[] = []
  const bus = {
    publish: async (messages: Outgoing[]) => {
      for (const { value } of messages) {
        const { event } = decode(topics.generations.schema, value as Uint8Array)
        if (event.case !== 'generationProgressed') throw new Error(`unexpected ${event.case}`)
        const { taskId, phase, percent, queuePosition } = event.value
        expect(phase).toBe(GenerationPhase.RENDERING)
        published.push({ taskId, ...(percent !== undefined && { percent }), ...(queuePosition !== undefined && { queuePosition }) })
      }
    },
  }
  const outbox = createOutbox({ sql: database.sql, bus: bus as never, log: testLog })
  outboxes.push(outbox)
  return { published, keep: createKeepProgress({ outbox, topicPrefix: 'test', now: () => new Date(), log: testLog }) }
}

const past = (id: string) => database.sql`update attempt set progress_at = progress_at - interval '1 minute' where id = ${id}`

test('what is told of attempts that run is kept, and of one that has ended meanwhile is not', async () => {
  const [one, two, ended] = [await insert('accepted'), await insert('accepted'), await insert('completed')]
  const { keep, published } = createKeep()
  keep({ ...before, id: ended }, { phase: 'generating', percent: 99 })
  keep({ ...before, id: one }, { phase: 'queued', queuePosition: 7 })
  await until('the first is written', async () => (await storedProgress(one))[0]?.phase === 'queued')
  await past(one)
  keep({ ...before, id: one, phase: 'queued', queuePosition: 7 }, { phase: 'generating', percent: 12 })
  keep({ ...before, id: two }, undefined)
  await until('the next is written', async () => (await storedProgress(one))[0]?.phase === 'generating')
  expect([...(await storedProgress(one))]).toEqual([{ phase: 'generating', queue_position: null, percent: 12, at: true }])
  expect([...(await storedProgress(two)), ...(await storedProgress(ended))]).toEqual(
    Array(2).fill({ phase: null, queue_position: null, percent: null, at: false }),
  )
  await until('both events', () => published.length === 2)
  expect(published).toEqual([
    { taskId: 'vt_1', queuePosition: 7 },
    { taskId: 'vt_1', percent: 12 },
  ])
})

test('a step is published no sooner than two seconds after the one before, at most sixty of an attempt, and a phase alone not at all', async () => {
  const [hasty, talkative, silent] = [await insert('accepted'), await insert('accepted'), await insert('accepted')]
  const { keep, published } = createKeep()
  keep({ ...before, id: hasty, taskId: 'hasty' }, { phase: 'generating', percent: 10 })
  await until('the first', () => published.length === 1)
  keep({ ...before, id: hasty, taskId: 'hasty' }, { phase: 'generating', percent: 90 })
  keep({ ...before, id: silent, taskId: 'silent' }, { phase: 'generating' })
  await until('the phase', async () => (await storedProgress(silent))[0]?.phase === 'generating')
  expect((await storedProgress(hasty))[0]?.percent).toBe(10)
  for (let step = 1; step <= 62; step++) {
    keep({ ...before, id: talkative, taskId: 'talkative' }, { phase: 'queued', queuePosition: step })
    await until('the step', async () => (await storedProgress(talkative))[0]?.queue_position === step)
    await past(talkative)
  }
  await until('the last event', () => published.length >= 61)
  expect(published).toEqual([
    { taskId: 'hasty', percent: 10 },
    ...Array.from({ length: 60 }, (_, n) => ({ taskId: 'talkative', queuePosition: n + 1 })),
  ])
})
