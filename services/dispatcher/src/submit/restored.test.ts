import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { until } from '@filmgate/kit/testing'
import { newTaskId, simulatorKey, startTestSystem, type TestSystem } from '../testing/test-system'

setDefaultTimeout(120_000)

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

type Row = { id: string; provider: string }

test.each([
  ['kling', { ...fields, model: 'delta-video-o1' }],
  ['runware', { ...fields, model: 'beta-2.0-fast' }],
  ['pixverse', { ...fields, model: 'lambda-v6', resolution: '360p', generateAudio: false }],
])(
  'an order whose attempt at %s was lost with a database restore is sent again under the same id, and becomes one video',
  async (provider, wanted) => {
    const order = {
      ...wanted,
      taskId: newTaskId(),
      accountId: 'acc_restored',
      prompt: `words ${crypto.randomUUID()}`,
      createdAt: timestampFromMs(Date.now()),
    }
    await system.behave(order.prompt, { name: 'instant' })
    await system.reserve(order)
    await system.event(order.taskId, 'generationAccepted')
    await system.killDispatcher('SIGKILL')
    // What the restored database no longer has.
    const [lost] = await system.sql<Row[]>`delete from attempt where task_id = ${order.taskId} returning id, provider`
    await system.sql`delete from job where id = ${lost?.id ?? ''}`
    await system.startDispatcher()
    await system.reserve(order)
    await system.event(order.taskId, 'generationCompleted')
    const [again] = await system.sql<Row[]>`select id, provider from attempt where task_id = ${order.taskId}`
    expect([lost, again]).toEqual([again, { id: lost?.id ?? '', provider }])
    const submits = await until('both submits arrived', async () => {
      const all = await system.submitsOf(order.prompt)
      return all.length > 1 ? all : undefined
    })
    expect({ submits: submits.length, videos: new Set(submits.map(({ generation_id }) => generation_id)).size }).toEqual({
      submits: 2,
      videos: 1,
    })
  },
)
