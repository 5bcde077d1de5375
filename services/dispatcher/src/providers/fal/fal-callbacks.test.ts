import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@filmgate/kit/testing'
import { type Behaviour, simulatorKey, startTestSystem, type TestSystem } from '../../testing/test-system'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem(simulatorUrl => ({
    FAL_KEY: simulatorKey,
    FILMGATE_FAL_URL: `${simulatorUrl}/fal`,
    FILMGATE_OVERDUE_POLL_MS: '300',
  }))
})
afterAll(() => system?.stop())

const order = { model: 'delta-3.0', durationSeconds: 5, resolution: '720p', aspectRatio: '16:9', generateAudio: false }
const providerModel = 'fal-ai/kling-video/v3/standard/text-to-video'
const healed = ['generationUncertain', 'generationAccepted', 'generationProgressed', 'generationCompleted'] as const

const words = () => `words ${crypto.randomUUID()}`

const attemptOf = async (taskId: string) => {
  const [row] = await system.sql<{ id: string; state: string; providerTaskId: string | null; cause: string | null }[]>`
    select id, state, provider_task_id as "providerTaskId", cause from attempt where task_id = ${taskId}`
  if (!row) throw new Error(`no attempt of ${taskId}`)
  return row
}

const payloadOf = async (id: string) => (await system.sql<{ payload: object }[]>`select payload from job where id = ${id}`)[0]?.payload

/** An order that fal took, and whose answer was lost; `providerTaskId`: fal's id of it. */
async function lost(...behaviours: Behaviour[]) {
  const prompt = words()
  await system.behave(prompt, { name: 'accept_then_drop' }, ...behaviours)
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationUncertain')
  const [submit] = await system.submitsOf(prompt)
  return { prompt, taskId, attempt: await attemptOf(taskId), providerTaskId: submit?.generation_id ?? '' }
}

/** Puts its next look an hour away, calls back, and waits until the call was handled and what it named was asked for. */
async function callBackAndSee(attemptId: string, called: { provider?: string; providerTaskId?: string }) {
  const next = () => system.sql`select 1 from job where id = ${attemptId} and run_at > now() + interval '30 minutes'`
  await until('its next look to be an hour away', async () => {
    await system.sql`update job set run_at = now() + interval '1 hour' where id = ${attemptId} and coalesce(lease_until, now()) <= now()`
    return (await next()).count === 1
  })
  await system.callBack(attemptId, called)
  await until('it to be looked at', async () => (await next()).count === 0)
}

test('a lost answer is healed by the id that a verified callback names, and nothing is sent again', async () => {
  const { prompt, taskId, attempt, providerTaskId } = await lost({ name: 'instant' })
  await callBackAndSee(attempt.id, { provider: 'fal', providerTaskId })
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId)).toEqual([...healed])
  expect(await attemptOf(taskId)).toMatchObject({ state: 'completed', providerTaskId })
  expect((await system.submitsOf(prompt)).length).toBe(1)
})

test('an id that fal doesn’t know, or that another attempt has, is not taken; the right one is, once it is named', async () => {
  const other = await lost({ name: 'never_finishes' })
  await system.callBack(other.attempt.id, { provider: 'fal', providerTaskId: other.providerTaskId })
  await system.event(other.taskId, 'generationAccepted')
  const { taskId, attempt, providerTaskId } = await lost({ name: 'instant' })
  const unknown = crypto.randomUUID()
  for (const [named, cause] of [
    [unknown, `its callback named the id ${unknown}, which its provider doesn’t know`],
    [other.providerTaskId, `its callback named the id ${other.providerTaskId}, which attempt ${other.attempt.id} has`],
  ] as const) {
    await system.callBack(attempt.id, { provider: 'fal', providerTaskId: named })
    await until('the review to say why', async () => (await attemptOf(taskId)).cause === cause)
    expect(await attemptOf(taskId)).toMatchObject({ state: 'unknown', providerTaskId: null })
  }
  await system.callBack(attempt.id, { provider: 'fal', providerTaskId })
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId)).toEqual([...healed])
  expect(await attemptOf(other.taskId)).toMatchObject({ state: 'accepted', providerTaskId: other.providerTaskId })
})

test('a call without a verified id, or under another provider’s name, or with no id that a row holds, moves nothing', async () => {
  const { taskId, attempt, providerTaskId } = await lost({ name: 'instant' })
  for (const called of [
    { provider: 'fal' },
    { provider: 'simulator', providerTaskId },
    { provider: 'nobody', providerTaskId },
    { provider: 'fal', providerTaskId: `${providerTaskId}/status` },
    { provider: 'fal', providerTaskId: 'a'.repeat(101) },
  ]) {
    await callBackAndSee(attempt.id, called)
    expect([called, await payloadOf(attempt.id)]).toEqual([called, {}])
  }
  expect(await attemptOf(taskId)).toMatchObject({ state: 'unknown', providerTaskId: null })
  expect(system.casesOf(taskId)).toEqual(['generationUncertain'])
})

test('a provider that can’t be asked for it is asked again, and nothing is guessed meanwhile', async () => {
  const unanswered = /^provider_callbacks_identified(?:_total)?\{(?=[^}]*provider="fal")[^}]*result="none"[^}]*\} (\d+)$/m
  const count = async () => Number(unanswered.exec(await (await fetch(`${system.dispatcherUrl()}/metrics`)).text())?.[1] ?? 0)
  const before = await count()
  const { taskId, attempt, providerTaskId } = await lost({ name: 'read_500', times: 2 }, { name: 'never_finishes' })
  await system.callBack(attempt.id, { provider: 'fal', providerTaskId })
  await system.event(taskId, 'generationAccepted')
  expect((await count()) - before).toBe(2)
})

test('an id that is named while the sender still has the attempt heals it once the sender is gone', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'instant' })
  const answer = await fetch(`${system.simulator.url}/fal/${providerModel}`, {
    method: 'POST',
    headers: { authorization: `Key ${simulatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt, duration: '5' }),
  })
  const { request_id: providerTaskId } = (await answer.json()) as { request_id: string }
  const taskId = await system.reserveAsLost({ ...order, prompt }, { provider: 'fal', providerModel })
  const { id } = await attemptOf(taskId)
  await system.callBack(id, { provider: 'fal', providerTaskId })
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId)).toEqual([...healed])
  expect((await system.submitsOf(prompt)).length).toBe(1)
})

test('an attempt whose id is known is not moved by a callback that names another', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'never_finishes' })
  const taskId = await system.reserve({ ...order, prompt })
  await system.event(taskId, 'generationAccepted')
  const { providerTaskId } = await attemptOf(taskId)
  const { id } = await attemptOf(taskId)
  await callBackAndSee(id, { provider: 'fal', providerTaskId: (await lost({ name: 'instant' })).providerTaskId })
  expect(await payloadOf(id)).toEqual({})
  expect(await attemptOf(taskId)).toMatchObject({ state: 'accepted', providerTaskId })
})

test('an attempt at a provider that doesn’t sign takes no id, in its own name or in fal’s', async () => {
  const prompt = words()
  await system.behave(prompt, { name: 'accept_then_drop' }, { name: 'lookup_500', times: 3 }, { name: 'instant' })
  // fal doesn't have this model, so that the simulator stands in.
  const taskId = await system.reserve({ ...order, model: 'zeta-3-video', prompt })
  await system.event(taskId, 'generationUncertain')
  const { id } = await attemptOf(taskId)
  const [submit] = await system.submitsOf(prompt)
  for (const provider of ['fal', 'simulator']) {
    await callBackAndSee(id, { provider, providerTaskId: submit?.generation_id ?? '' })
    expect([provider, await payloadOf(id)]).toEqual([provider, {}])
  }
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId)).toEqual([...healed])
})
