import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createObjectStore } from '@filmgate/kit/object-store'
import { createOutbox, type Outbox } from '@filmgate/kit/outbox/outbox'
import { servers, type TestDatabase, testDatabase, testLog, until } from '@filmgate/kit/testing'
import { insertAttempts } from '../attempt/attempt-repository'
import { createWriteTransition } from '../attempt/write-transitions'
import type { Connector } from '../providers/connector'
import { connectSimulator } from '../providers/simulator/connect-simulator'
import { createRouting } from '../routing/routing'
import { newAttemptId } from '../testing/attempt-id'
import { newTaskId, simulatorKey } from '../testing/test-system'
import { type FollowUp, startFollowUp } from './follow-up'

const bounds = { visibilityMs: 1_000, firstPollMs: 20, submitTimeoutMs: 1_000, readTimeoutMs: 1_000 }
const simulator = connectSimulator({ provider: 'simulator', url: 'http://127.0.0.1:1', key: simulatorKey, ...bounds })
/** Answers each time that everything succeeded, with a URL that no row can hold. */
const unwritable: Connector = {
  ...simulator,
  cadence: { firstMs: 20, ofAge: 0, maxMs: 20 },
  poll: async polled => polled.map(() => ({ status: 'succeeded', outputUrl: 'https://cdn.example/\u0000' })),
}

let database: TestDatabase
let outbox: Outbox
let followUp: FollowUp
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
  const { sql } = database
  outbox = createOutbox({ sql, bus: { publish: () => Promise.reject(new Error('no broker')) }, log: testLog })
  const leaseMs = 5_000
  followUp = startFollowUp({
    ...{ sql, outbox, topicPrefix: 'test' },
    log: testLog,
    routing: createRouting({ default: [], models: {} }, [unwritable]),
    write: createWriteTransition({ sql, outbox, topicPrefix: 'test', leaseMs, now: () => new Date(), log: testLog }),
    sender: { send: () => {}, room: async () => 1, stop: async () => {} },
    inputs: createObjectStore({ ...servers.s3, bucket: 'filmgate-inputs' }),
    now: () => new Date(),
    attemptSecret: 'a secret',
    newOutputKey: () => `${newAttemptId()}.mp4`,
    leaseMs,
    uploadTimeoutMs: 1_000,
    submitTimeoutMs: 1_000,
    claimEveryMs: 20,
    pollsMax: 10,
    generationTimeoutMs: 600_000,
    overduePollMs: 60_000,
    health: { check: async () => undefined },
    absenceSightingsMin: 3,
    outputRetentionMs: 60_000,
    outputReviewAfterMs: 60_000,
  })
})
afterAll(async () => {
  await followUp.stop()
  await outbox.stop()
  await database.drop()
})

/** An attempt at `provider`, due now: accepted so long ago, or never. */
async function attemptAt(provider: string, acceptedMsAgo?: number): Promise<{ id: string; accountId: string }> {
  const [id, accountId] = [newAttemptId(), crypto.randomUUID()]
  const names = { provider, providerModel: 'alpha-h3', model: 'alpha-h3', traceparent: null, code: null, cause: null }
  const source = { topic: 'credits' as const, bytes: new Uint8Array() }
  const row = {
    id,
    taskId: newTaskId(),
    accountId,
    number: 1,
    state: 'sending' as const,
    uploads: false,
    absenceAfterMs: 60_000,
    generationMsMax: 0,
    source,
    ...names,
  }
  await insertAttempts(database.sql, [row], { owner: 'test', leaseMs: 60_000 })
  if (acceptedMsAgo !== undefined) {
    await database.sql`
      update attempt set state = 'accepted', provider_task_id = id, accepted_at = now() - ${acceptedMsAgo}::float8 * interval '1 millisecond'
      where id = ${id}`
  }
  await database.sql`update job set lease_until = case when ${acceptedMsAgo === undefined} then now() end, run_at = now() where id = ${id}`
  return { id, accountId }
}

async function stateOf({ id, accountId }: { id: string; accountId: string }) {
  const [row] = await database.sql<{ state: string; held: boolean; told: number; tries: number }[]>`
    select state, review_since is not null as held, (select count(*) from outbox where key = ${accountId}) as told, job.tries
    from attempt join job on job.id = attempt.id where attempt.id = ${id}`
  return row
}

const heldAs = (state: string) => ({ state, held: true, told: 1 })
const inReview = (one: { id: string; accountId: string }) =>
  until('it is held for review', async () => ((await stateOf(one))?.held ? await stateOf(one) : undefined))

test('a provider whose words can’t be written down keeps no attempt from its review', async () => {
  const [young, old] = [await attemptAt('simulator', 0), await attemptAt('simulator', 600_000)]
  expect(await inReview(old)).toMatchObject(heldAs('overdue'))
  await until('the young one was asked about twice', async () => ((await stateOf(young))?.tries ?? 0) > 2)
  expect(await stateOf(young)).toMatchObject({ state: 'accepted', held: false, told: 0 })
})

test('a provider that is no longer configured keeps no attempt from its review', async () => {
  const [sending, young, old] = [await attemptAt('gone'), await attemptAt('gone', 0), await attemptAt('gone', 600_000)]
  expect(await inReview(sending)).toMatchObject(heldAs('unknown'))
  expect(await inReview(old)).toMatchObject(heldAs('overdue'))
  await until('the young one was looked at', async () => ((await stateOf(young))?.tries ?? 0) > 1)
  expect(await stateOf(young)).toMatchObject({ state: 'accepted', held: false, told: 0 })
})
