import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { until } from '@filmgate/kit/testing'
import { type Behaviour, newTaskId, startTestSystem, type TestSystem } from '../testing/test-system'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({
    SIMULATOR_VISIBILITY_MS: '3600000',
    FILMGATE_GENERATION_TIMEOUT_MS: '1500',
    FILMGATE_OVERDUE_POLL_MS: '60000',
  })
})
afterAll(() => system?.stop())

type Case = Parameters<TestSystem['event']>[1]

/** An order that has come to `end`, and what was published of it. */
async function comeTo(end: Case, ...behaviours: Behaviour[]) {
  const prompt = `words ${randomUUID()}`
  await system.behave(prompt, ...behaviours)
  const order = { prompt, taskId: newTaskId(), accountId: `acc_${randomUUID()}` }
  await system.reserve(order)
  await system.event(order.taskId, end)
  return { ...order, published: system.eventsOf(order.taskId) }
}

const operate = async (taskId: string, verb: 'replay' | 'release', body?: object) => {
  const answer = await system.operator('POST', `/tasks/${taskId}/${verb}`, body)
  const { published, error } = (await answer.json()) as { published?: string[]; error?: { code: string } }
  return [answer.status, published ?? error?.code]
}

const toRelease = { account_id: 'acc_released', model: 'alpha-h3', reason: 'its order was lost', by: 'ada' }

const ends: [Case, Behaviour[], string[]][] = [
  ['generationCompleted', [{ name: 'instant' }], ['generationCompleted']],
  ['generationRefused', [{ name: 'refuse', code: 'content_rejected' }], ['generationRefused']],
  ['generationFailed', [{ name: 'moderated' }], ['generationFailed']],
  ['generationUncertain', [{ name: 'drop_before_accept' }], ['generationUncertain']],
  ['generationUncertain', [{ name: 'never_finishes' }], ['generationAccepted', 'generationUncertain']],
]
for (const [end, behaviours, again] of ends)
  test(`an order delivered again after ${again.join(' and ')} brings it again, word for word, and nothing is submitted`, async () => {
    const { published, ...order } = await comeTo(end, ...behaviours)
    await system.reserve({ ...order, admitBy: timestampFromMs(Date.now() - 1) })
    const wanted = published.filter(event => again.includes(event.case ?? ''))
    await until('it is published again', () => system.eventsOf(order.taskId).length === published.length + wanted.length)
    const brought = system.eventsOf(order.taskId).slice(published.length)
    // The rights to draw a poster are signed anew; moments are the database's instead of the process's.
    const lasting = (events: typeof published) =>
      events.map(({ case: name, value }) => ({
        name,
        ...value,
        at: undefined,
        mayRunUntil: undefined,
        heldAfter: undefined,
        poster: undefined,
      }))
    expect(lasting(brought)).toEqual(lasting(wanted))
    const bounds = (events: typeof published) =>
      events.flatMap(event => (event.case === 'generationUncertain' && event.value.mayRunUntil ? timestampMs(event.value.mayRunUntil) : []))
    expect(bounds(brought).length).toBe(again.filter(name => name === 'generationUncertain').length)
    for (const [index, bound] of bounds(brought).entries()) expect(Math.abs(bound - (bounds(wanted)[index] ?? 0))).toBeLessThan(2_000)
    expect(await system.submitCount(order.prompt)).toBe(1)
    expect(await operate(order.taskId, 'replay')).toEqual([200, again])
  })

test('without the operator’s token nothing is replayed and nothing released', async () => {
  for (const verb of ['replay', 'release']) {
    const headers = { 'content-type': 'application/json' }
    const url = `${system.dispatcherUrl()}/operator/tasks/${newTaskId()}/${verb}`
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(toRelease) })
    expect(answer.status).toBe(401)
  }
})

test('a task that never came is not found', async () => {
  expect(await operate(newTaskId(), 'replay')).toEqual([404, 'task_not_found'])
})

test('a task without an attempt is released once, with who and why; its order, coming after all, starts nothing', async () => {
  const prompt = `words ${randomUUID()}`
  const taskId = newTaskId()
  expect(await operate(taskId, 'release', toRelease)).toEqual([200, ['generationRefused']])
  expect(await operate(taskId, 'release', { ...toRelease, by: 'bob' })).toEqual([200, ['generationRefused']])
  await system.reserve({ prompt, taskId, accountId: 'acc_released' })
  await until('the order meets its end', () => system.casesOf(taskId).length === 3)
  expect(system.casesOf(taskId)).toEqual(['generationRefused', 'generationRefused', 'generationRefused'])
  expect(await system.submitCount(prompt)).toBe(0)
  const shown = (await (await system.operator('GET', `/tasks/${taskId}`)).json()) as { attempts: object[]; release: object }
  expect(shown.attempts).toMatchObject([{ number: 1, state: 'refused', cause: 'ada released it: its order was lost' }])
  expect(shown.release).toMatchObject({ reason: toRelease.reason, by: 'ada' })
})

test('what is under way, in review or made is not released, and the refusal says what to do instead', async () => {
  const running = await comeTo('generationAccepted', { name: 'slow', delay_ms: 60_000 })
  const made = await comeTo('generationCompleted', { name: 'instant' })
  const held = await comeTo('generationUncertain', { name: 'drop_before_accept' })
  const failed = await comeTo('generationFailed', { name: 'moderated' })
  const [open] = await operate(running.taskId, 'release', toRelease)
  expect(open).toBe(409)
  expect(await operate(made.taskId, 'release', toRelease)).toEqual([409, 'attempt_completed'])
  expect(await operate(held.taskId, 'release', toRelease)).toEqual([409, 'attempt_in_review'])
  expect(await operate(failed.taskId, 'release', toRelease)).toEqual([200, ['generationFailed']])
  expect(
    await system.sql`select from release where task_id = any(${[running, made, held, failed].map(({ taskId }) => taskId)})`,
  ).toHaveLength(0)
})

test('a video that the store has lost is copied again under its key; one that its provider lost too, or that was never made, is refused', async () => {
  const restore = async (taskId: string) => {
    const answer = await system.operator('POST', `/tasks/${taskId}/restore-output`)
    const { error, copied_bytes } = (await answer.json()) as { error?: { code: string }; copied_bytes?: number }
    return [answer.status, error?.code ?? copied_bytes]
  }
  const { taskId } = await comeTo('generationCompleted', { name: 'instant' })
  const [row] = await system.sql<{ key: string; bytes: number }[]>`
    select output_key as key, output_bytes::float8 as bytes from attempt where task_id = ${taskId}`
  if (!row) throw new Error('the attempt has an output')
  expect(await restore(taskId)).toEqual([200, 0])
  await system.outputs.remove([row.key])
  const events = system.eventsOf(taskId).length
  expect(await restore(taskId)).toEqual([200, row.bytes])
  expect(await system.outputs.head(row.key)).toMatchObject({ bytes: row.bytes })
  expect(system.eventsOf(taskId)).toHaveLength(events)

  await system.outputs.remove([row.key])
  await system.sql`update attempt set provider_task_id = 'gone', echoed = false where task_id = ${taskId}`
  expect(await restore(taskId)).toEqual([409, 'output_gone'])
  const held = await comeTo('generationUncertain', { name: 'drop_before_accept' })
  expect(await restore(held.taskId)).toEqual([409, 'output_not_kept'])
})
