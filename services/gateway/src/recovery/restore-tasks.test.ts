import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Incoming, Outgoing } from '@filmgate/kit/bus/bus'
import { createOutbox, type Outbox } from '@filmgate/kit/outbox/outbox'
import { type TestDatabase, testDatabase, testLog } from '@filmgate/kit/testing'
import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import type { GenerationRequested } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { decode, topics } from '@filmgate/proto/topics'
import { uuidv7 } from 'uuidv7'
import { createRecordRequest, type NewRequest } from '../generations/record-request'
import type { PipelineEvent } from '../projection/pipeline-event'
import { project } from '../projection/project'
import { newTaskId } from '../tasks/task-id'
import { findBound, findTasks } from '../tasks/task-repository'
import { replaySince } from './replay-since'

let database: TestDatabase
let outbox: Outbox
const published: Outgoing[] = []
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  outbox = createOutbox({ sql: database.sql, bus: { publish: async messages => void published.push(...messages) }, log: testLog })
})
afterAll(async () => {
  await outbox.stop()
  await database.drop()
})

const handle = (...events: PipelineEvent[]) => {
  const message = { topic: 't', partition: 0, offset: '0', key: '', traceparent: undefined, timestampMs: Date.now() }
  const messages = events.map(event => ({ ...message, event, eventId: uuidv7() }) as Incoming<PipelineEvent>)
  return project({ sql: database.sql, wake: () => {} }, messages)
}
const credits = (event: NonNullable<Parameters<typeof create<typeof CreditsEventSchema>>[1]>['event']) =>
  create(CreditsEventSchema, { ...(event && { event }) }).event

const record = ({ task, order }: NewRequest) =>
  createRecordRequest({ sql: database.sql, outbox, topicPrefix: 'test', replayAfterMs: 600_000 })({ task, order })

async function newRequest(): Promise<NewRequest> {
  const accountId = `acct_${crypto.randomUUID()}`
  await database.sql`insert into account (id, name) values (${accountId}, 'test')`
  const identity = { id: newTaskId(), accountId, keyId: 'k', surface: 'api' as const, prompt: 'a cat' }
  const key = { idempotencyKey: crypto.randomUUID(), fingerprint: Buffer.alloc(32, 7) }
  const asked = { model: 'alpha-h3', mode: 'text-to-video', resolution: '768p', billedSeconds: 5, request: null, breakdown: [] }
  const times = { createdAt: new Date(), admitBy: new Date(), eventId: uuidv7() }
  const task = { ...identity, ...key, ...asked, ...times, priceVersion: 'p1', tags: { project: 'spring' } }
  return { task, order: { prompt: 'a cat', resolution: '768p', model: 'alpha-h3', mode: 'text-to-video', billedSeconds: 5, credits: 40n } }
}

const requestsOf = ({ accountId }: { accountId: string }): GenerationRequested[] =>
  published
    .filter(({ key }) => key === accountId)
    .map(({ value }) => decode(topics.requests.schema, value ?? new Uint8Array()).event)
    .flatMap(event => (event.case === 'generationRequested' ? [event.value] : []))

const recorded = (request: GenerationRequested | undefined, open: boolean) =>
  credits({
    case: 'taskRecorded',
    value: { ...(request && { request }), open, available: 60n, balanceVersion: 7n, at: timestampFromDate(new Date()) },
  })

const forget = async ({ id }: { id: string }) => {
  for (const table of ['task_event', 'usage_entry', 'task_request'])
    await database.sql`delete from ${database.sql(table)} where task_id = ${id}`
  await database.sql`delete from task where id = ${id}`
}

test('a gateway that lost a task makes it again from the ledger’s rows: its client’s retry finds it, and nothing is asked for twice', async () => {
  const request = await newRequest()
  const { task } = request
  await record(request)
  const [sent] = requestsOf(task)
  await forget(task)
  await handle(
    recorded(sent, true),
    credits({ case: 'creditsSettled', value: { taskId: task.id, accountId: task.accountId, credits: 40n } }),
  )
  // Told again, it changes nothing.
  await handle(recorded(sent, true))
  const { id, accountId, keyId, fingerprint, tags, createdAt } = task
  expect(await findBound(database.sql, [{ keyId, idempotencyKey: task.idempotencyKey }])).toMatchObject([
    { id, accountId, fingerprint, tags, createdAt, creditsUsed: 40, billingStatus: 'settled' },
  ])
  const retry = await newRequest()
  const again = { ...retry, task: { ...retry.task, accountId, idempotencyKey: task.idempotencyKey } }
  expect(await record(again)).toMatchObject({ fresh: false, bound: { id } })
  expect(requestsOf(task)).toHaveLength(1)
  const usage = await database.sql`select credits, balance_after from usage_entry where task_id = ${id}`
  expect([...usage]).toEqual([{ credits: -40, balance_after: 60 }])
  // Its request is there to be published again while the provider's verdict has not come.
  expect([...(await database.sql`select task_id from task_request where task_id = ${id}`)]).toEqual([{ task_id: id }])
})

test('a key that a later task has taken stays with it, and the account of a task is made again too', async () => {
  const [lost, later] = [await newRequest(), await newRequest()]
  await record(lost)
  const [sent] = requestsOf(lost.task)
  await forget(lost.task)
  await database.sql`delete from account where id = ${lost.task.accountId}`
  const taken = { ...later, task: { ...later.task, idempotencyKey: lost.task.idempotencyKey } }
  await record(taken)
  await handle(recorded(sent, false))
  expect(await findTasks(database.sql, [lost.task.id])).toMatchObject([{ accountId: lost.task.accountId, billingStatus: 'reserved' }])
  const { keyId, idempotencyKey } = lost.task
  expect(await findBound(database.sql, [{ keyId, idempotencyKey }])).toMatchObject([{ id: taken.task.id }])
  expect([...(await database.sql`select task_id from task_request where task_id = ${lost.task.id}`)]).toEqual([])
})

test('a key is the latest task’s of those that were lost, also where an earlier one that was declined since has it in the restored rows', async () => {
  const [declined, failed, bound] = [await newRequest(), await newRequest(), await newRequest()]
  const { accountId, keyId, idempotencyKey } = declined.task
  const again = ({ task, order }: NewRequest) => ({ order, task: { ...task, accountId, idempotencyKey } })
  await record(declined)
  const requests: GenerationRequested[] = []
  for (const next of [failed, bound].map(again)) {
    await database.sql`update task set binds_key = false where idempotency_key = ${idempotencyKey}`
    await record(next)
    requests.push(...requestsOf(next.task).slice(-1))
  }
  for (const { task } of [failed, bound]) await forget(task)
  await database.sql`update task set binds_key = true where id = ${declined.task.id}`
  await handle(...requests.map(request => recorded(request, true)))
  expect(await findBound(database.sql, [{ keyId, idempotencyKey }])).toMatchObject([{ id: bound.task.id }])
  expect(await findTasks(database.sql, [declined.task.id, failed.task.id, bound.task.id])).toHaveLength(3)
})

test('what was asked of a ledger that lost it is published again: accounts, grants, and requests that it has held credits for', async () => {
  const [open, ended, declined] = [await newRequest(), await newRequest(), await newRequest()]
  for (const one of [open, ended, declined]) await record(one)
  for (const { task } of [open, ended]) {
    const order = { taskId: task.id, accountId: task.accountId, credits: 40n }
    await handle(credits({ case: 'creditsReserved', value: { order, available: 60n, balanceVersion: 7n, starter: 4n } }))
  }
  await database.sql`delete from task_request where task_id = ${ended.task.id}`
  await database.sql`
    insert into credit_change (id, account_id, kind, balance, credits, reason, operator, asked_at)
    values (${`grant-${open.task.id}`}, ${open.task.accountId}, 'grant', 'paid', 100, 'a test', 'ada', now())`
  const since = { since: new Date(Date.now() - 60_000), after: '' }
  const before = published.length
  for (const part of ['accounts', 'changes', 'tasks'] as const) await replaySince({ outbox, topicPrefix: 'test' }, part, since)
  const again = (of: NewRequest) =>
    published
      .slice(before)
      .filter(({ key }) => key === of.task.accountId)
      .map(({ value }) => decode(topics.requests.schema, value ?? new Uint8Array()).event)
  const held = (isEnded: boolean) => ({ held: { starter: 4n, ended: isEnded } })
  const order = { taskId: open.task.id, prompt: 'a cat', credits: 40n }
  expect(again(open)).toMatchObject([
    { case: 'accountOpened', value: { name: 'test' } },
    { case: 'creditsGranted', value: { grantId: `grant-${open.task.id}`, credits: 100n } },
    { case: 'generationRequested', value: { order, ...held(false), idempotencyKey: open.task.idempotencyKey } },
  ])
  expect(again(ended).at(-1)).toMatchObject({
    value: {
      order: { taskId: ended.task.id, prompt: '', credits: 40n, keyId: 'k' },
      ...held(true),
      fingerprint: new Uint8Array(32).fill(7),
    },
  })
  // The ledger never held credits for it: it decides by admit_by, as ever.
  expect(again(declined).map(event => event.case)).toEqual(['accountOpened'])
})
