import { afterAll, beforeAll, expect, test } from 'bun:test'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import type { Incoming, Outgoing } from '@filmgate/kit/bus/bus'
import { insertOutbox } from '@filmgate/kit/outbox/outbox-repository'
import { type TestDatabase, testDatabase } from '@filmgate/kit/testing'
import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { GenerationsEventSchema } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { decode, topics } from '@filmgate/proto/topics'
import { uuidv7 } from 'uuidv7'
import { closeAccount } from '../accounts/close-account'
import { endClosings } from '../accounts/closing-repository'
import { setLowBalance } from '../accounts/set-low-balance'
import { migrationsFolder } from '../database/migrations-folder'
import type { PipelineEvent } from '../projection/pipeline-event'
import { project } from '../projection/project'
import { billingStatuses, phases, type Surface, shownStatus, type Task } from '../tasks/task'
import { newTaskId } from '../tasks/task-id'
import { findTasks, insertTasks } from '../tasks/task-repository'
import { taskView } from '../tasks/task-view'
import { shownAsEnded } from './notice-repository'
import { publishNotices } from './publish-notices'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(migrationsFolder)
})
afterAll(() => database.drop())

type Of = { id: string; accountId: string }

async function newTask({ surface = 'api', lowBalance = null }: { surface?: Surface; lowBalance?: number | null } = {}): Promise<Of> {
  const [id, accountId] = [newTaskId(), `acct_${crypto.randomUUID()}`]
  await database.sql`insert into account (id, name, low_balance_credits) values (${accountId}, 'test', ${lowBalance})`
  const task = {
    ...{ id, accountId, surface, keyId: 'k', prompt: 'a cat', idempotencyKey: id, fingerprint: Buffer.alloc(32, 7), model: 'alpha-h3' },
    ...{
      mode: 'text-to-video',
      resolution: '768p',
      billedSeconds: 5,
      request: null,
      tags: { shot: '12' },
      breakdown: [],
      priceVersion: 'p1',
    },
    ...{ createdAt: new Date(), admitBy: new Date(), eventId: crypto.randomUUID() },
  }
  await insertTasks(database.sql, [task], insertOutbox(database.sql, []), 600_000)
  return { id, accountId }
}

const message = (event: PipelineEvent): Incoming<PipelineEvent> => ({
  ...{ topic: 't', partition: 0, offset: '0', key: '', event, eventId: uuidv7(), traceparent: undefined, timestampMs: Date.now() },
})
const credits = (event: MessageInitShape<typeof CreditsEventSchema>['event']) => message(create(CreditsEventSchema, { event }).event)
const generations = (event: MessageInitShape<typeof GenerationsEventSchema>['event']) =>
  message(create(GenerationsEventSchema, { event }).event)
const of = ({ id: taskId, accountId }: Of) => ({ taskId, accountId })

const reserved = (task: Of) => credits({ case: 'creditsReserved', value: { order: { ...of(task), credits: 40n }, balanceVersion: 2n } })
const inReview = (task: Of) => credits({ case: 'reviewOpened', value: of(task) })
const settled = (task: Of) => credits({ case: 'creditsSettled', value: of(task) })
const completed = (task: Of) => generations({ case: 'generationCompleted', value: { ...of(task), videoUrl: 'https://v' } })
const failed = (task: Of) => generations({ case: 'generationFailed', value: { ...of(task), code: 'generation_failed', message: 'no' } })
const refundPending = (task: Of) => credits({ case: 'refundPending', value: of(task) })
const refunded = (task: Of) =>
  credits({ case: 'creditsRefunded', value: { ...of(task), credits: 40n, available: 40n, balanceVersion: 3n } })
const balance = ({ accountId }: Of, available: number, version: number) =>
  credits({ case: 'balanceChanged', value: { accountId, available: BigInt(available), balanceVersion: BigInt(version) } })

const merge = (...messages: Incoming<PipelineEvent>[]) => project({ sql: database.sql, wake: () => {} }, messages)

/** What is published of this account, and what the broker is told it is. */
async function publish({ accountId }: Of, bus = { publish: async (_: Outgoing[]) => {} }, webhooksOn = true) {
  const sent: Outgoing[] = []
  const collecting = {
    connected: () => true,
    async publish(messages: Outgoing[]) {
      await bus.publish(messages)
      sent.push(...messages)
    },
  }
  while ((await publishNotices({ sql: database.sql, bus: collecting, topicPrefix: 'test', webhooksOn }, 500)) > 0);
  return sent
    .filter(({ key }) => key === accountId)
    .map(({ topic, eventId, value }) => ({ topic, eventId, event: decode(topics.tasks.schema, value as Uint8Array).event }))
}

/** The case of each event, with the status and billing_status of its task. */
const kinds = (events: Awaited<ReturnType<typeof publish>>) =>
  events.map(({ event }) => {
    if (event.case === 'balanceLow') return [event.case, Number(event.value.availableCredits), Number(event.value.thresholdCredits)]
    if (event.case === 'accountClosed') return [event.case]
    const { status, billing_status } = JSON.parse(event.value?.videoTask ?? '{}')
    return [event.case, status, billing_status]
  })

test('an end is published once, as the task is read, when both of its events have come, in either order and however often', async () => {
  for (const events of [
    [completed, settled],
    [settled, completed],
  ]) {
    const task = await newTask()
    await merge(reserved(task))
    const [first, second] = events.map(event => event(task)) as [Incoming<PipelineEvent>, Incoming<PipelineEvent>]
    await merge(first)
    expect(await publish(task)).toEqual([])
    await Promise.all([merge(second), merge(second), merge(second, first), merge(first, second)])
    await merge(first, second)
    const [row] = await findTasks(database.sql, [task.id])
    const sent = await publish(task)
    const [videoTask] = sent.map(({ event }) => event.case === 'taskEnded' && JSON.parse(event.value.videoTask))
    expect(sent).toMatchObject([
      {
        topic: 'test.tasks.v1',
        eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        event: { case: 'taskEnded', value: { taskId: task.id, tags: { shot: '12' } } },
      },
    ])
    expect(videoTask).toEqual(taskView(row as Task))
    expect(await publish(task)).toEqual([])
  }
})

test('a failure is published once its refund is under way, and not again when it is made', async () => {
  const task = await newTask()
  await merge(reserved(task), failed(task))
  expect(await publish(task)).toEqual([])
  await merge(refundPending(task))
  expect(kinds(await publish(task))).toEqual([['taskEnded', 'failed', 'refund_pending']])
  await merge(refunded(task))
  expect(await publish(task)).toEqual([])
})

test('a review is published before the end, as it was, although the task has ended before anything was published', async () => {
  const task = await newTask()
  await merge(reserved(task), inReview(task))
  await merge(failed(task), refunded(task))
  await merge(inReview(task))
  expect(kinds(await publish(task))).toEqual([
    ['taskInReview', 'processing', 'review'],
    ['taskEnded', 'failed', 'refunded'],
  ])
})

test('nothing is published of what the console made', async () => {
  const task = await newTask({ surface: 'web' })
  await merge(reserved(task), inReview(task))
  await merge(completed(task), settled(task))
  expect(await publish(task)).toEqual([])
})

test('a low balance is published once until it has been above its threshold again, and never without one', async () => {
  const task = await newTask({ lowBalance: 100 })
  const at = (available: number, version: number) => merge(balance(task, available, version), balance(task, available, version))
  await at(150, 2)
  await at(99, 3)
  await at(40, 4)
  await at(120, 3)
  expect(kinds(await publish(task))).toEqual([['balanceLow', 99, 100]])
  await at(100, 5)
  await Promise.all([at(60, 6), at(60, 6), at(50, 7)])
  const [again] = kinds(await publish(task))
  expect([again?.[0], again?.[2]]).toEqual(['balanceLow', 100])
  expect(await publish(task)).toEqual([])
  const without = await newTask()
  await merge(balance(without, 0, 2))
  expect(await publish(without)).toEqual([])
})

test('a threshold above the balance is told of at once, and one that moves while it is low is not', async () => {
  const task = await newTask()
  await merge(balance(task, 50, 2))
  const set = (credits: number | null) => setLowBalance({ sql: database.sql }, { accountId: task.accountId, credits, operator: 'ada' })
  await set(40)
  expect(await publish(task)).toEqual([])
  await set(60)
  await set(70)
  expect(kinds(await publish(task))).toEqual([['balanceLow', 50, 60]])
  await set(null)
  await set(51)
  expect(kinds(await publish(task))).toEqual([['balanceLow', 50, 51]])
})

test('what the broker did not take is published again under the same id, and not once it has', async () => {
  const task = await newTask()
  await merge(reserved(task), completed(task), settled(task))
  const ids: unknown[] = []
  const broken = {
    async publish(messages: Outgoing[]) {
      ids.push(...messages.filter(({ key }) => key === task.accountId).map(({ eventId }) => eventId))
      throw new Error('no broker')
    },
  }
  await expect(publish(task, broken)).rejects.toThrow('no broker')
  expect((await publish(task)).map(({ eventId }) => eventId)).toEqual(ids as string[])
  expect(await publish(task)).toEqual([])
})

test('two replicas publish each notice once and those of a task in order', async () => {
  const tasks = await Promise.all(Array.from({ length: 30 }, () => newTask()))
  for (const task of tasks) await merge(reserved(task), inReview(task))
  const sent: string[] = []
  const bus = {
    connected: () => true,
    async publish(messages: Outgoing[]) {
      await Bun.sleep(2)
      for (const { value } of messages) {
        const { event } = decode(topics.tasks.schema, value as Uint8Array)
        if (event.case === 'taskEnded' || event.case === 'taskInReview') sent.push(`${event.case} ${event.value?.taskId}`)
      }
    },
  }
  const replica = async () => {
    while ((await publishNotices({ sql: database.sql, bus, topicPrefix: 'test', webhooksOn: true }, 7)) > 0);
  }
  await Promise.all([replica(), replica(), ...tasks.map(task => merge(completed(task), settled(task)))])
  await replica()
  const ofTask = ({ id }: Of) => sent.filter(each => each.endsWith(id)).map(each => each.split(' ')[0])
  expect(tasks.map(ofTask)).toEqual(tasks.map(() => ['taskInReview', 'taskEnded']))
})

test('without webhooks nothing is published, then or later', async () => {
  const task = await newTask()
  await merge(reserved(task), completed(task), settled(task))
  expect(await publish(task, undefined, false)).toEqual([])
  expect(await publish(task)).toEqual([])
})

test('a notice of a task that has been deleted is dropped', async () => {
  const task = await newTask()
  await merge(reserved(task), completed(task), settled(task))
  await database.sql`delete from task where id = ${task.id}`
  expect(await publish(task)).toEqual([])
  expect(await database.sql`select id from notice where account_id = ${task.accountId}`).toHaveLength(0)
})

/** As every task has one until it has ended. */
const insertRequest = ({ id }: Of) => database.sql`insert into task_request (task_id, event, retell_at) values (${id}, '', now())`

test('the last notice of a closed account comes once, after the ends of its tasks, and not while one is under way or held', async () => {
  const task = await newTask()
  await insertRequest(task)
  await merge(reserved(task), inReview(task))
  await publish(task)
  for (const _ of [1, 2]) await closeAccount({ sql: database.sql }, { accountId: task.accountId, operator: 'ada' })
  await endClosings(database.sql, 0)
  expect(await publish(task)).toEqual([])
  await merge(completed(task), settled(task))
  expect(await endClosings(database.sql, 60_000)).toBe(0)
  await Promise.all([endClosings(database.sql, 0), endClosings(database.sql, 0)])
  const events = await publish(task)
  expect(kinds(events)).toEqual([['taskEnded', 'completed', 'settled'], ['accountClosed']])
  expect(events.at(-1)?.event).toMatchObject({ value: { accountId: task.accountId } })
  await endClosings(database.sql, 0)
  expect(await publish(task)).toEqual([])
})

test('an account with tasks of the console alone is told of as closed at once', async () => {
  const task = await newTask({ surface: 'web' })
  await insertRequest(task)
  await closeAccount({ sql: database.sql }, { accountId: task.accountId, operator: 'ada' })
  expect(await endClosings(database.sql, 0)).toBe(1)
  expect(kinds(await publish(task))).toEqual([['accountClosed']])
})

test('the statement calls ended what is shown as completed or failed, in every phase and billing status', async () => {
  const pairs = Object.keys(phases).flatMap(phase => [null, ...Object.keys(billingStatuses)].map(billing => ({ phase, billing })))
  const rows = await database.sql<{ phase: Task['phase']; billing: Task['billingStatus']; ended: boolean }[]>`
    select phase, billing, ${shownAsEnded(database.sql, database.sql`phase`, database.sql`billing`)} as ended
    from json_to_recordset(${JSON.stringify(pairs)}::text::json) as pair (phase text, billing text)`
  expect(rows.map(({ ended }) => ended)).toEqual(
    rows.map(({ phase, billing }) => shownStatus({ phase, billingStatus: billing }) !== 'processing'),
  )
  expect(rows).toHaveLength(48)
})
