import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Incoming } from '@filmgate/kit/bus/bus'
import { insertOutbox } from '@filmgate/kit/outbox/outbox-repository'
import { type TestDatabase, testDatabase } from '@filmgate/kit/testing'
import { CreditsEventSchema, DeclineReason } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { GenerationPhase, GenerationsEventSchema, WaitingFor } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { MediaEventSchema } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import { uuidv7 } from 'uuidv7'
import { newTaskId } from '../tasks/task-id'
import { findBound, findDelivery, findTasks, insertTasks, listTaskEvents, type NewTask } from '../tasks/task-repository'
import type { PipelineEvent } from './pipeline-event'
import { project } from './project'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database.drop())

async function newTask(): Promise<NewTask> {
  const accountId = `acct_${crypto.randomUUID()}`
  await database.sql`insert into account (id, name) values (${accountId}, 'test')`
  const task = {
    id: newTaskId(),
    accountId,
    keyId: 'k',
    surface: 'api' as const,
    prompt: 'a cat',
    idempotencyKey: crypto.randomUUID(),
    fingerprint: Buffer.alloc(32, 7),
    model: 'alpha-h3',
    mode: 'text-to-video',
    resolution: '768p',
    billedSeconds: 5,
    request: null,
    breakdown: [],
    priceVersion: 'p1',
    tags: null,
    createdAt: new Date(),
    admitBy: new Date(),
    eventId: crypto.randomUUID(),
  }
  expect(await insert(task)).toEqual(new Set([task.id]))
  return task
}
const insert = (task: NewTask) => insertTasks(database.sql, [task], insertOutbox(database.sql, []), 600_000)
let offset = 0
const message = (event: PipelineEvent, eventId = uuidv7()): Incoming<PipelineEvent> => ({
  topic: 't',
  partition: 0,
  offset: String(offset++),
  key: '',
  event,
  eventId,
  traceparent: undefined,
  timestampMs: Date.now(),
})
const deps = () => ({ sql: database.sql, wake: () => {} })
const reserved = ({ id: taskId, accountId }: NewTask, version: bigint, available: bigint) =>
  create(CreditsEventSchema, {
    event: { case: 'creditsReserved', value: { order: { taskId, accountId, credits: 40n }, available, balanceVersion: version } },
  }).event
const accepted = ({ id: taskId, accountId }: NewTask) =>
  create(GenerationsEventSchema, { event: { case: 'generationAccepted', value: { taskId, accountId } } }).event
const declined = ({ id: taskId, accountId }: NewTask) =>
  create(CreditsEventSchema, {
    event: { case: 'creditsDeclined', value: { taskId, accountId, reason: DeclineReason.UNFINISHED_TASK_LIMIT } },
  }).event

test('a batch delivered twice leaves what it left the first time', async () => {
  const task = await newTask()
  const batch = [message(reserved(task, 2n, 60n)), message(accepted(task))]
  await project(deps(), batch)
  const [once] = await findTasks(database.sql, [task.id])
  await project(deps(), batch)
  expect(await findTasks(database.sql, [task.id])).toMatchObject([
    { ...once, phase: 'accepted', billingStatus: 'reserved', creditsUsed: 40 },
  ])
  expect((await listTaskEvents(database.sql, task.id)).map(event => event.kind)).toEqual(['creditsReserved', 'generationAccepted'])
})
test('which attempt a provider accepted is kept with the event, where the dispatcher tells it', async () => {
  const task = await newTask()
  const value = { taskId: task.id, accountId: task.accountId }
  const second = create(GenerationsEventSchema, { event: { case: 'generationAccepted', value: { ...value, attemptNumber: 2 } } })
  await project(deps(), [message(second.event), message(accepted(task))])
  expect((await listTaskEvents(database.sql, task.id)).map(({ details }) => details)).toEqual([
    { phase: 'accepted', attemptNumber: 2 },
    { phase: 'accepted' },
  ])
})
test('an older balance never replaces a newer one', async () => {
  const task = await newTask()
  await project(deps(), [message(reserved(task, 5n, 10n))])
  await project(deps(), [message(reserved(task, 4n, 50n))])
  expect(await database.sql`select available, balance_version from account where id = ${task.accountId}`).toMatchObject([
    { available: 10, balance_version: 5 },
  ])
})
test('a declined request frees its Idempotency-Key; a bound one refuses a second task', async () => {
  const bound = await newTask()
  const again = { ...bound, id: newTaskId() }
  expect(await insert(again)).toEqual(new Set())
  await project(deps(), [message(declined(bound))])
  expect(await findBound(database.sql, [bound])).toHaveLength(0)
  expect(await insert(again)).toEqual(new Set([again.id]))
})
test.each([
  { code: 'generation_unavailable', freesKey: true },
  { code: 'media_unreachable', freesKey: false },
])('media refused for our own fault free the Idempotency-Key, once, and for the client’s they do not: %j', async ({ code, freesKey }) => {
  const task = await newTask()
  const again = { ...task, id: newTaskId() }
  const value = { taskId: task.id, accountId: task.accountId, code, freesKey }
  const { event } = create(MediaEventSchema, { event: { case: 'mediaRejected', value } })
  await project(deps(), [message(reserved(task, 2n, 60n)), message(event)])
  expect(await findBound(database.sql, [task])).toHaveLength(freesKey ? 0 : 1)
  expect(await insert(again)).toEqual(new Set(freesKey ? [again.id] : []))
  await project(deps(), [message(event)])
  expect((await findBound(database.sql, [task])).map(({ id }) => id)).toEqual([freesKey ? again.id : task.id])
})
test.each([
  ['in another batch', false],
  ['in the same one', true],
])(
  'what frees a key and comes after a provider ended its task frees nothing: a second task would be charged again, %s',
  async (_, together) => {
    const task = await newTask()
    const value = { taskId: task.id, accountId: task.accountId }
    const { event: failed } = create(GenerationsEventSchema, { event: { case: 'generationFailed', value: { ...value, code: 'failed' } } })
    const { event: refused } = create(GenerationsEventSchema, {
      event: { case: 'generationRefused', value: { ...value, code: 'generation_unavailable', freesKey: true } },
    })
    const messages = [message(reserved(task, 2n, 60n)), message(failed), message(refused)]
    for (const batch of together ? [messages] : messages.map(one => [one])) await project(deps(), batch)
    expect((await findBound(database.sql, [task])).map(({ id }) => id)).toEqual([task.id])
    expect(await insert({ ...task, id: newTaskId() })).toEqual(new Set())
  },
)
test('two replicas that merge the same hundred tasks at once both end', async () => {
  const tasks = await Promise.all(Array.from({ length: 100 }, newTask))
  const batch = tasks.map(task => message(accepted(task)))
  await Promise.all([project(deps(), batch), project(deps(), batch.toReversed()), project(deps(), batch)])
  expect(
    (
      await findTasks(
        database.sql,
        tasks.map(task => task.id),
      )
    ).every(task => task.phase === 'accepted'),
  ).toBe(true)
})
test('what comes late or again never takes a task back: not its phase, its billing, its first error or what was refunded', async () => {
  const task = await newTask()
  const { id: taskId, accountId } = task
  const credits = (event: MessageInitShape<typeof CreditsEventSchema>['event']) => message(create(CreditsEventSchema, { event }).event)
  const failed = (code: string) =>
    create(GenerationsEventSchema, { event: { case: 'generationFailed', value: { taskId, accountId, code, message: code } } }).event
  await project(deps(), [message(reserved(task, 2n, 60n)), message(accepted(task))])
  await project(deps(), [message(failed('generation_failed')), credits({ case: 'refundPending', value: { taskId, accountId } })])
  await project(deps(), [
    credits({ case: 'creditsRefunded', value: { taskId, accountId, credits: 40n, available: 100n, balanceVersion: 3n } }),
  ])
  const [ended] = await findTasks(database.sql, [taskId])
  expect(ended).toMatchObject({ phase: 'failed', billingStatus: 'refunded', creditsRefunded: 40, errorCode: 'generation_failed' })
  for (const late of [
    message(accepted(task)),
    message(reserved(task, 2n, 60n)),
    credits({ case: 'reviewOpened', value: { taskId, accountId } }),
    credits({ case: 'refundPending', value: { taskId, accountId } }),
    message(failed('output_unavailable')),
  ]) {
    await project(deps(), [late])
    const [now] = await findTasks(database.sql, [taskId])
    expect({ ...now, updatedAt: ended?.updatedAt }).toEqual({ ...ended } as never)
  }
  expect(await database.sql`select available from account where id = ${accountId}`).toMatchObject([{ available: 100 }])
})
test('a settlement in part: the task, its delivery, its balance and its usage record, however often and in whatever order', async () => {
  const task = await newTask()
  const { id: taskId, accountId } = task
  const delivery = { durationMs: 3_000n, width: 854, height: 480, videoCodec: 'h264', shortfalls: ['duration'] }
  const settled = { taskId, accountId, credits: 24n, refunded: 16n, refundedStarter: 0n, available: 76n, balanceVersion: 3n }
  const batch = [
    message(create(CreditsEventSchema, { event: { case: 'creditsSettled', value: settled } }).event),
    message(
      create(GenerationsEventSchema, {
        event: { case: 'generationCompleted', value: { taskId, accountId, videoUrl: 'https://v', delivery } },
      }).event,
    ),
    message(reserved(task, 2n, 60n)),
  ]
  await project(deps(), batch)
  await project(deps(), batch.toReversed())
  expect(await findTasks(database.sql, [taskId])).toMatchObject([
    { phase: 'completed', billingStatus: 'settled', creditsUsed: 40, creditsRefunded: 16 },
  ])
  expect(await findDelivery(database.sql, taskId)).toMatchObject({ duration_ms: 3_000, shortfalls: ['duration'] })
  expect(await database.sql`select available from account where id = ${accountId}`).toMatchObject([{ available: 76 }])
  const records = await database.sql`
    select kind, credits, balance_after, billed_seconds, breakdown from usage_entry where task_id = ${taskId} order by balance_version`
  expect(records.map(row => ({ ...row }))).toEqual([
    { kind: 'reservation', credits: -40, balance_after: 60, billed_seconds: 5, breakdown: [] },
    { kind: 'refund', credits: 16, balance_after: 76, billed_seconds: 0, breakdown: null },
  ])
})

test('a refusal of media is told with the processor time that it took; a media-probe of a version before tells none', async () => {
  const tasks = [await newTask(), await newTask()]
  const told: [string, string, number | undefined][] = []
  const rejected = ({ id: taskId, accountId }: NewTask, processorSeconds?: number) =>
    create(MediaEventSchema, {
      event: { case: 'mediaRejected', value: { taskId, accountId, code: 'media_corrupt', processorSeconds } },
    }).event
  const [first, second] = tasks as [NewTask, NewTask]
  const wake: Parameters<typeof project>[0]['wake'] = (merged, seconds) =>
    void told.push(...merged.map(({ id, phase }): [string, string, number | undefined] => [id, phase, seconds.get(id)]))
  await project({ ...deps(), wake }, [message(rejected(first, 7.2)), message(rejected(second))])
  expect(told.sort()).toEqual(
    [[first.id, 'refused', 7.2] as (typeof told)[number], [second.id, 'refused', 0] as (typeof told)[number]].sort(),
  )
})

test('what a generation waits for and until when is kept with its events', async () => {
  const task = await newTask()
  const { id: taskId, accountId } = task
  const heldAfter = timestampFromDate(new Date('2026-11-20T12:00:00Z'))
  const at = (second: number) => timestampFromDate(new Date(Date.UTC(2026, 10, 20, 10, 0, second)))
  const waiting = { phase: GenerationPhase.COPYING, waitingFor: WaitingFor.FILE, heldAfter }
  const events = [
    create(GenerationsEventSchema, { event: { case: 'generationAccepted', value: { taskId, accountId, at: at(1), heldAfter } } }),
    create(GenerationsEventSchema, { event: { case: 'generationProgressed', value: { taskId, accountId, at: at(2), ...waiting } } }),
  ]
  await project(
    deps(),
    events.map(({ event }) => message(event)),
  )
  expect((await listTaskEvents(database.sql, taskId)).map(({ details }) => details)).toEqual([
    { phase: 'accepted', heldAfter: '2026-11-20T12:00:00.000Z' },
    { phase: 'copying', waitingFor: 'file', heldAfter: '2026-11-20T12:00:00.000Z' },
  ])
})
