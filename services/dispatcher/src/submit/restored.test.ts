import { afterAll, beforeAll, expect, test } from 'bun:test'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { until } from '@filmgate/kit/testing'
import { newTaskId, simulatorKey, startTestSystem, type TestSystem } from '../testing/test-system'

let system: TestSystem
/** With the keys of the providers that know a client's own id and make one video of it. Each has a model here that the others don't. */
beforeAll(async () => {
  system = await startTestSystem(simulatorUrl => ({
    ...{ KLING_API_KEY: simulatorKey, FILMGATE_KLING_URL: `${simulatorUrl}/kling` },
    ...{ RUNWARE_API_KEY: simulatorKey, FILMGATE_RUNWARE_URL: `${simulatorUrl}/runware/v1` },
    ...{ PIXVERSE_API_KEY: simulatorKey, FILMGATE_PIXVERSE_URL: `${simulatorUrl}/pixverse/openapi/v2` },
  }))
})
afterAll(() => system?.stop())

const fields = { resolution: '720p', aspectRatio: '16:9', durationSeconds: 5 }

type Row = { task_id: string; id: string; provider: string }

const providers = {
  kling: { ...fields, model: 'delta-video-o1' },
  runware: { ...fields, model: 'beta-2.0-fast' },
  pixverse: { ...fields, model: 'lambda-v6', resolution: '360p', generateAudio: false },
}

test('an order whose attempt was lost with a database restore is sent again under the same id, and becomes one video, at each of these providers', async () => {
  const orders = Object.entries(providers).map(([provider, wanted]) => ({
    provider,
    order: {
      ...wanted,
      taskId: newTaskId(),
      accountId: 'acc_restored',
      prompt: `words ${crypto.randomUUID()}`,
      createdAt: timestampFromMs(Date.now()),
    },
  }))
  for (const { order } of orders) {
    await system.behave(order.prompt, { name: 'instant' })
    await system.reserve(order)
  }
  for (const { order } of orders) await system.event(order.taskId, 'generationAccepted')
  await system.killDispatcher('SIGKILL')
  // What the restored database no longer has.
  const taskIds = orders.map(({ order }) => order.taskId)
  const lost = await system.sql<Row[]>`delete from attempt where task_id = any(${taskIds}) returning task_id, id, provider`
  await system.sql`delete from job where id = any(${lost.map(({ id }) => id)})`
  await system.startDispatcher()
  for (const { order } of orders) await system.reserve(order)
  for (const { provider, order } of orders) {
    await system.event(order.taskId, 'generationCompleted')
    const again = await system.sql<Row[]>`select task_id, id, provider from attempt where task_id = ${order.taskId}`
    expect([...again]).toEqual([{ ...lost.find(({ task_id }) => task_id === order.taskId), provider } as Row])
    const submits = await until('both submits arrived', async () => {
      const all = await system.submitsOf(order.prompt)
      return all.length > 1 ? all : undefined
    })
    expect({ provider, submits: submits.length, videos: new Set(submits.map(({ generation_id }) => generation_id)).size }).toEqual({
      ...{ provider, submits: 2, videos: 1 },
    })
  }
})

test('in recovery mode an order whose attempt was lost is submitted to nobody, however late it comes: it is looked up, and its one video delivered, also at a provider that is paused', async () => {
  const createdAt = timestampFromMs(Date.now())
  const order = { ...providers.kling, taskId: newTaskId(), accountId: 'acc_recovering', prompt: `words ${crypto.randomUUID()}`, createdAt }
  await system.behave(order.prompt, { name: 'instant' })
  await system.reserve(order)
  await system.event(order.taskId, 'generationAccepted')
  await system.killDispatcher('SIGKILL')
  const lost = await system.sql<Row[]>`delete from attempt where task_id = ${order.taskId} returning task_id, id, provider`
  await system.sql`delete from job where id = any(${lost.map(({ id }) => id)})`
  const before = system.eventsOf(order.taskId).length
  await system.sql`insert into route_hold (provider, cause, reason, started_by) values ('kling', 'paused', 'a test', 'ada')`
  await system.startDispatcher({ FILMGATE_RECOVERY: 'true' })
  await system.reserve({ ...order, admitBy: timestampFromMs(Date.now() - 60_000) })
  await until('the video is delivered', () =>
    system
      .eventsOf(order.taskId)
      .slice(before)
      .some(event => event.case === 'generationCompleted'),
  )
  expect(await system.submitCount(order.prompt)).toBe(1)
  expect([...(await system.sql<Row[]>`select task_id, id, provider from attempt where task_id = ${order.taskId}`)]).toEqual([...lost])
})
