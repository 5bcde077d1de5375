import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@filmgate/kit/testing'
import { startTestSystem, type TestSystem } from '../testing/test-system'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem({ FILMGATE_GENERATION_TIMEOUT_MS: '12000', FILMGATE_OVERDUE_POLL_MS: '300' })
})
afterAll(() => system?.stop())

const instant = { name: 'instant' }
const plain = ['generationAccepted', 'generationProgressed', 'generationCompleted'] as const
const attemptOf = async (taskId: string) => {
  const [row] = await system.sql<{ id: string; state: string; providerTaskId: string; cause: string | null }[]>`
    select id, state, provider_task_id as "providerTaskId", cause from attempt where task_id = ${taskId}`
  return row
}

test.concurrent.each([
  ['a status word that nobody knows is still running', { name: 'unknown_status', times: 2 }],
  ['a poll that fails is asked again', { name: 'read_500', times: 2 }],
  ['completed and then processing again is completed', { name: 'completed_then_processing' }],
])('%s', async (_, behaviour) => {
  const { taskId } = await system.reserveWith(behaviour, instant)
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId)).toEqual([...plain])
})

test.concurrent.each([
  ['fails_after_accept', 'generation_failed'],
  ['moderated', 'output_moderated'],
])('the verdict %s is told as %s', async (name, code) => {
  const { taskId } = await system.reserveWith({ name })
  expect((await system.event(taskId, 'generationFailed')).code).toBe(code)
  expect(system.casesOf(taskId)).toEqual(['generationAccepted', 'generationFailed'])
})

test.concurrent('what never finishes is held for review and never refunded; once it finishes, it is completed', async () => {
  const { taskId } = await system.reserveWith({ name: 'never_finishes' })
  const { at, mayRunUntil } = await system.event(taskId, 'generationUncertain')
  const leftMs = Number(mayRunUntil?.seconds) * 1_000 - Number(at?.seconds) * 1_000
  // An hour after it was accepted, which is 12 s ago or a little more.
  expect([leftMs > 3_600_000 - 30_000, leftMs <= 3_600_000 - 11_000]).toEqual([true, true])
  const attempt = await attemptOf(taskId)
  expect(attempt?.state).toBe('overdue')
  await system.release(attempt?.providerTaskId ?? '')
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId)).toEqual(['generationAccepted', 'generationUncertain', 'generationProgressed', 'generationCompleted'])
})

test.concurrent('an id that the provider does not know is replaced by the one its look-up names', async () => {
  const { taskId, prompt } = await system.reserveWith({ name: 'wrong_id', of: 'nobody' }, instant)
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId)).toEqual([...plain])
  const [submit] = await system.submitsOf(prompt)
  expect((await attemptOf(taskId))?.providerTaskId).toBe(submit?.generation_id ?? 'none')
})

test.concurrent('an id of somebody else’s generation never hands out their video', async () => {
  const other = await system.reserveWith(instant)
  await system.event(other.taskId, 'generationAccepted')
  const { taskId, prompt } = await system.reserveWith({ name: 'wrong_id', of: 'another' }, instant)
  await system.event(taskId, 'generationCompleted')
  const [submit] = await system.submitsOf(prompt)
  expect((await attemptOf(taskId))?.providerTaskId).toBe(submit?.generation_id ?? 'none')
})

test.concurrent('what the provider knows neither by its id nor by ours, past its visibility bound, has failed', async () => {
  const { taskId } = await system.reserveWith({ name: 'wrong_id', of: 'nobody' }, { name: 'ignore_token' }, { name: 'never_finishes' })
  const { code } = await system.event(taskId, 'generationFailed')
  expect(code).toBe('generation_failed')
  expect((await attemptOf(taskId))?.cause).toMatch(
    /^unknown to the provider by its id and by ours, [3-9] times over the visibility bound while the provider showed others of ours$/,
  )
})

test.concurrent('a provider that takes no notice of our id is believed for its own', async () => {
  const { taskId } = await system.reserveWith({ name: 'ignore_token' }, instant)
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId)).toEqual([...plain])
})

test('a provider that calls back is asked at once', async () => {
  const { taskId } = await system.reserveWith({ name: 'never_finishes' })
  await system.event(taskId, 'generationAccepted')
  const attempt = await attemptOf(taskId)
  await until('the next poll is an hour away', async () => {
    const moved = await system.sql`
      update job set run_at = now() + interval '1 hour' where id = ${attempt?.id ?? ''} and coalesce(lease_until, now()) <= now() and run_at > now()`
    return moved.count === 1
  })
  await system.release(attempt?.providerTaskId ?? '')
  await system.callBack('at_nobody_knows_this_token')
  await system.callBack(attempt?.id ?? '')
  await system.event(taskId, 'generationCompleted')
})
