import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { until } from '@filmgate/kit/testing'
import { type GenerationEvent, startTestSystem, type TestSystem } from '../testing/test-system'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem()
  // What a provider doesn't find is believed only while it shows another that it must show.
  await system.event(await system.reserve({ prompt: 'a video that the provider shows' }), 'generationAccepted')
})
afterAll(() => system?.stop())

const healed = ['generationUncertain', 'generationAccepted', 'generationProgressed', 'generationCompleted'] as const
const instant = { name: 'instant' }

describe('an answer that is lost is told at once and healed by look-up, with one submit', () => {
  test.concurrent.each([
    ['the connection is cut after acceptance', { name: 'accept_then_drop' }],
    ['a 500 after acceptance', { name: 'accept_then_500' }],
    ['an answer that is no JSON', { name: 'bad_json' }],
    ['acceptance long after the caller gave up', { name: 'accept_late', delay_ms: 2_500 }],
  ])('%s', async (_, behaviour) => {
    const { prompt, taskId } = await system.reserveWith(behaviour, instant)
    await system.event(taskId, 'generationCompleted')
    expect(system.casesOf(taskId)).toEqual([...healed])
    expect((await system.submitsOf(prompt)).length).toBe(1)
  })

  test.concurrent('a look-up that fails at first', async () => {
    const { taskId } = await system.reserveWith({ name: 'accept_then_drop' }, { name: 'lookup_500', times: 3 }, instant)
    await system.event(taskId, 'generationCompleted')
    expect(system.casesOf(taskId)).toEqual([...healed])
  })

  test.concurrent('a look-up that lags behind', async () => {
    const { taskId } = await system.reserveWith({ name: 'accept_then_500' }, { name: 'lookup_lags', delay_ms: 2_000 }, instant)
    await system.event(taskId, 'generationCompleted')
    expect(system.casesOf(taskId)).toEqual([...healed])
  })
})

describe('what certainly was not accepted is refused, and not before that is sure', () => {
  test.concurrent.each([['drop_before_accept'], ['500_before_accept']])('%s', async name => {
    const startedAt = performance.now()
    const { taskId } = await system.reserveWith({ name })
    await system.event(taskId, 'generationUncertain')
    const { code } = await system.event(taskId, 'generationRefused')
    // SIMULATOR_VISIBILITY_MS of this test.
    expect(performance.now() - startedAt).toBeGreaterThan(3_000)
    expect(code).toBe('generation_unavailable')
    expect(system.casesOf(taskId)).toEqual(['generationUncertain', 'generationRefused'])
  })
})

test('a dispatcher killed while the provider thinks: another takes over, asks, and nobody was told anything wrong', async () => {
  const { prompt, taskId } = await system.reserveWith({ name: 'accept_late', delay_ms: 800 }, instant)
  await until('the attempt is durable', async () => (await system.sql`select 1 from attempt where task_id = ${taskId}`).count === 1)
  await system.killDispatcher('SIGKILL')
  await system.startDispatcher()
  await system.event(taskId, 'generationCompleted')
  // The order may have come again after the kill: what was decided is told again then, in the same words and the same order.
  const told = Map.groupBy(system.eventsOf(taskId), event => event.case)
  told.delete('generationUncertain')
  expect([...told.keys()]).toEqual(['generationAccepted', 'generationProgressed', 'generationCompleted'])
  // The rights to its poster are signed anew each time.
  const timeless = ({ value }: GenerationEvent) => ({ ...value, at: undefined, poster: undefined })
  for (const [name, events] of told)
    expect({ name, told: new Set(events.map(event => Bun.inspect(timeless(event)))).size }).toEqual({ name, told: 1 })
  expect((await system.submitsOf(prompt)).map(submit => submit.answered)).toEqual(['created'])
})

test('a dispatcher killed before its provider heard of it: past the bound there is another attempt, and one video', async () => {
  const { prompt, taskId } = await system.reserveWith(instant)
  await system.event(taskId, 'generationCompleted')
  const lost = await system.reserveAsLost({ prompt })
  await system.event(lost, 'generationCompleted')
  expect(system.casesOf(lost)).toEqual([...healed])
  const attempts = await system.sql`select number, state from attempt where task_id = ${lost} order by number`
  expect([...attempts]).toEqual([
    { number: 1, state: 'refused' },
    { number: 2, state: 'completed' },
  ])
  expect((await system.submitsOf(prompt)).length).toBe(2)
})

test('a dispatcher killed before its provider heard of it, and no time left to admit: refused', async () => {
  const lost = await system.reserveAsLost({ admitBy: timestampFromMs(Date.now() + 1_000) })
  await system.event(lost, 'generationRefused')
  expect(system.casesOf(lost)).toEqual(['generationUncertain', 'generationRefused'])
})

test('six generations survive a dispatcher that is killed again and again: each submitted once, completed once', async () => {
  const prompt = `words ${randomUUID()}`
  await system.behave(prompt, { name: 'slow', delay_ms: 1_500 }, instant)
  const taskIds: string[] = []
  for (let round = 0; round < 3; round++) {
    taskIds.push(await system.reserve({ prompt }), await system.reserve({ prompt }))
    // A different moment each round: before the batch, during submits, polls and copies.
    await until(
      'a round to start',
      async () => (await system.sql`select 1 from attempt where task_id = any(${taskIds})`).count >= round * 2,
    )
    await system.killDispatcher('SIGKILL')
    await system.startDispatcher()
  }
  await Promise.all(taskIds.map(taskId => system.event(taskId, 'generationCompleted')))
  const submits = await system.submitsOf(prompt)
  expect({ submits: submits.length, distinct: new Set(submits.map(submit => submit.client_task_id)).size }).toEqual({
    submits: 6,
    distinct: 6,
  })
  const keys = await system.sql<
    { key: string }[]
  >`select output_key as key from attempt where task_id = any(${taskIds}) and state = 'completed'`
  expect(new Set(keys.map(row => row.key)).size).toBe(6)
})
