import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@filmgate/kit/testing'
import { startTestSystem, type TestSystem } from '../testing/test-system'

const visibilityMs = 1_000
let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({
    SIMULATOR_VISIBILITY_MS: String(visibilityMs),
    FILMGATE_GENERATION_TIMEOUT_MS: '4000',
    FILMGATE_OVERDUE_POLL_MS: '300',
    SIMULATOR_FIRST_POLL_MS: '300',
    FILMGATE_VANISHED_MAX: '3',
    FILMGATE_VANISHED_WINDOW_MS: '4000',
  })
})
afterAll(() => system?.stop())

/** One that the provider must show: accepted longer ago than its visibility bound. */
async function showable(): Promise<{ taskId: string; providerTaskId: string }> {
  const { taskId, prompt } = await system.reserveWith({ name: 'never_finishes' })
  await system.event(taskId, 'generationAccepted')
  await until('it has to be shown', async () => {
    const rows = await system.sql`select 1 from attempt where task_id = ${taskId} and accepted_at < now() - interval '1100 milliseconds'`
    return rows.count === 1
  })
  const [submit] = await system.submitsOf(prompt)
  return { taskId, providerTaskId: submit?.generation_id ?? '' }
}

const seenOf = async (taskId: string) =>
  (
    await system.sql<{ state: string; count: number; spreadMs: number }[]>`
      select state, absence_count as count, (extract(epoch from absence_last_at - absence_first_at) * 1000)::float8 as "spreadMs"
      from attempt where task_id = ${taskId} order by number limit 1`
  )[0]
const isHeld = async () =>
  (await (await fetch(`${system.dispatcherUrl()}/metrics`)).text()).includes('provider_absences_held{provider="simulator"} 1')

test('a provider that answers empty to everything ends nothing: all in flight go to review, and on when it shows them again', async () => {
  await showable()
  const running = await Promise.all(
    Array.from({ length: 6 }, () => system.reserveWith({ name: 'slow', delay_ms: 4_000 }, { name: 'instant' })),
  )
  await Promise.all(running.map(({ taskId }) => system.event(taskId, 'generationAccepted')))
  await system.show({ shows: 'nothing' })
  const [lost, never] = [
    await system.reserveWith({ name: 'accept_then_drop' }, { name: 'instant' }),
    await system.reserveWith({ name: 'drop_before_accept' }),
  ]
  await until('that is told', isHeld)
  const all = [...running, lost, never]
  await Promise.all(all.map(({ taskId }) => system.event(taskId, 'generationUncertain')))
  await until('many times the bound has passed', async () => {
    const rows = await system.sql`select 1 from attempt where task_id = ${never.taskId} and absence_first_at < now() - interval '4 seconds'`
    return rows.count === 1
  })
  for (const { taskId } of all) expect(system.casesOf(taskId)).not.toContain('generationFailed')
  for (const { taskId } of all) expect(system.casesOf(taskId)).not.toContain('generationRefused')

  await system.show({ shows: 'all' })
  await Promise.all([...running, lost].map(({ taskId }) => system.event(taskId, 'generationCompleted')))
  expect((await system.event(never.taskId, 'generationRefused')).code).toBe('generation_unavailable')
  await until('it holds nothing any more', async () => !(await isHeld()))
})

test('a replica that stands still before our last ones ends nothing', async () => {
  const shown = await showable()
  await system.show({ shows: 'older', lag_ms: 60_000 })
  const { taskId } = await system.reserveWith({ name: 'never_finishes' })
  await system.event(taskId, 'generationUncertain')
  expect(system.casesOf(taskId)).toEqual(['generationAccepted', 'generationUncertain'])
  await system.show({ shows: 'all' })
  await system.release(shown.providerTaskId)
  await until('it is known again', async () => (await seenOf(taskId))?.count === 0)
})

test('a replica that stands still and shows older ones ends none of the few that came after it, and nobody’s lost submit', async () => {
  const shown = await showable()
  const stoppedAt = Date.now()
  const running = await Promise.all([1, 2].map(() => system.reserveWith({ name: 'slow', delay_ms: 4_000 }, { name: 'instant' })))
  await Promise.all(running.map(({ taskId }) => system.event(taskId, 'generationAccepted')))
  await system.show({ shows: 'older', lag_ms: Date.now() - stoppedAt })
  const lost = await system.reserveWith({ name: 'accept_then_drop' }, { name: 'instant' })
  await until('that is told', isHeld)
  await until('many times the bound has passed', async () => {
    const rows = await system.sql`select 1 from attempt where task_id = ${lost.taskId} and absence_first_at < now() - interval '4 seconds'`
    return rows.count === 1
  })
  for (const { taskId } of [...running, lost]) {
    expect(system.casesOf(taskId)).not.toContain('generationFailed')
    expect(system.casesOf(taskId)).not.toContain('generationRefused')
  }
  await system.show({ shows: 'all' })
  await Promise.all([...running, lost].map(({ taskId }) => system.event(taskId, 'generationCompleted')))
  // Nothing is missing, so nobody else looks.
  expect((await system.operator('GET', '/providers')).status).toBe(200)
  expect(await isHeld()).toBe(false)
  await system.release(shown.providerTaskId)
})

test('one that the provider lost has failed: seen missing at least three times over the bound, while it showed a later one', async () => {
  const { taskId } = await system.reserveWith({ name: 'never_finishes' }, { name: 'vanishes', delay_ms: 500 })
  await showable()
  expect((await system.event(taskId, 'generationFailed')).code).toBe('generation_failed')
  const seen = await seenOf(taskId)
  expect(seen).toMatchObject({ state: 'failed' })
  expect(seen?.count).toBeGreaterThanOrEqual(3)
  expect(seen?.spreadMs).toBeGreaterThanOrEqual(visibilityMs)
})

test('too many that vanish at once end nothing, though the provider shows others', async () => {
  await showable()
  const lost = await Promise.all(
    Array.from({ length: 6 }, () => system.reserveWith({ name: 'never_finishes' }, { name: 'vanishes', delay_ms: 500 })),
  )
  await Promise.all(lost.map(({ taskId }) => system.event(taskId, 'generationUncertain')))
  expect(await isHeld()).toBe(true)
  for (const { taskId } of lost) expect(system.casesOf(taskId)).toEqual(['generationAccepted', 'generationUncertain'])
  // An operator who asked the provider ends them one by one.
  for (const { taskId } of lost)
    expect((await system.operator('POST', `/reviews/${taskId}/refund`, { reason: 'lost there' })).status).toBe(200)
  await Promise.all(lost.map(({ taskId }) => system.event(taskId, 'generationFailed')))
})

test('what an operator saw at the provider goes back to review when the provider no longer knows it, never to a refund', async () => {
  const control = await showable()
  const { taskId, prompt } = await system.reserveWith(
    { name: 'never_finishes' },
    { name: 'accept_then_drop' },
    { name: 'lookup_500', times: 1_000 },
    { name: 'vanishes', delay_ms: 4_000 },
  )
  await system.event(taskId, 'generationUncertain')
  const [submit] = await system.submitsOf(prompt)
  const accepted = await system.operator('POST', `/reviews/${taskId}/accept`, {
    provider_task_id: submit?.generation_id,
    reason: 'seen there',
  })
  expect(accepted.status).toBe(200)
  const later = await showable()
  await system.sql`update attempt set absence_proves_at = now() where task_id = ${taskId}`
  await until('it is held again', () => system.casesOf(taskId).filter(name => name === 'generationUncertain').length === 2)
  await until('it was missed often enough', async () => ((await seenOf(taskId))?.count ?? 0) >= 4)
  expect(system.casesOf(taskId)).toEqual(['generationUncertain', 'generationAccepted', 'generationUncertain'])
  for (const { providerTaskId } of [control, later]) await system.release(providerTaskId)
})
