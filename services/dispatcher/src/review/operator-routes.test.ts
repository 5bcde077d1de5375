import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Behaviour, newTaskId, startTestSystem, type TestSystem } from '../testing/test-system'

let system: TestSystem
beforeAll(async () => {
  // Look-ups prove nothing for an hour, so an uncertain attempt stays for its operator.
  system = await startTestSystem({
    SIMULATOR_VISIBILITY_MS: '3600000',
    FILMGATE_GENERATION_TIMEOUT_MS: '1500',
    FILMGATE_OVERDUE_POLL_MS: '60000',
  })
})
afterAll(() => system?.stop())

async function uncertain(...behaviours: Behaviour[]) {
  const reserved = await system.reserveWith(...behaviours)
  await system.event(reserved.taskId, 'generationUncertain')
  return reserved
}

const statusAndCode = async (answer: Response) => {
  const body = (await answer.json()) as { error?: { code: string } }
  return [answer.status, body.error?.code]
}

test('without the operator’s token nothing is shown and nothing done', async () => {
  const { taskId } = await uncertain({ name: 'drop_before_accept' })
  for (const authorization of [
    '',
    'Bearer wrong',
    'Bearer a-token-of-the-test-operator',
    'Bearer a-token-of-the-test-operatorz',
    'Basic a-token-of-the-test-operators',
  ]) {
    const headers = { authorization, 'content-type': 'application/json' }
    const base = `${system.dispatcherUrl()}/operator`
    expect(await statusAndCode(await fetch(`${base}/tasks/${taskId}`, { headers }))).toEqual([401, 'operator_token_required'])
    const refund = await fetch(`${base}/reviews/${taskId}/refund`, { method: 'POST', headers, body: '{"reason":"x"}' })
    expect(await statusAndCode(refund)).toEqual([401, 'operator_token_required'])
  }
  expect(system.casesOf(taskId)).toEqual(['generationUncertain'])
})

test('an operator who found the provider’s id: the task goes on and completes', async () => {
  const { taskId, prompt } = await uncertain({ name: 'accept_then_drop' }, { name: 'lookup_500', times: 1_000 }, { name: 'instant' })
  const [submit] = await system.submitsOf(prompt)
  const body = { provider_task_id: submit?.generation_id, reason: 'found in the provider’s console' }
  expect((await system.operator('POST', `/reviews/${taskId}/accept`, body)).status).toBe(200)
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId)).toEqual(['generationUncertain', 'generationAccepted', 'generationProgressed', 'generationCompleted'])
  const shown = (await (await system.operator('GET', `/tasks/${taskId}`)).json()) as { attempts: object[]; review_decisions: object[] }
  expect(shown.attempts).toMatchObject([
    { number: 1, state: 'completed', provider: 'simulator', provider_task_id: submit?.generation_id, review_since: null },
  ])
  const found = (id: string) => system.operator('GET', `/attempts?provider_task_id=${id}`)
  expect(await (await found(String(submit?.generation_id))).json()).toMatchObject({ data: [{ task_id: taskId, provider: 'simulator' }] })
  expect(await (await found('another')).json()).toEqual({ data: [] })
  for (const id of ['', '%00', 'x'.repeat(501)]) expect(await statusAndCode(await found(id))).toEqual([400, 'invalid_request'])
  expect(shown.review_decisions).toMatchObject([{ decision: 'accept', reason: body.reason, provider_task_id: submit?.generation_id }])
})

test('an id whose task carries none of ours, where all of ours do, is taken only by force', async () => {
  const { taskId, prompt } = await uncertain({ name: 'accept_then_drop' }, { name: 'ignore_token' }, { name: 'instant' })
  const [submit] = await system.submitsOf(prompt)
  const accept = async (force?: boolean | string) => {
    const body = { provider_task_id: submit?.generation_id, reason: 'its console shows the prompt', force }
    return statusAndCode(await system.operator('POST', `/reviews/${taskId}/accept`, body))
  }
  expect(await accept('yes')).toEqual([400, 'invalid_request'])
  for (const force of [undefined, false]) expect(await accept(force)).toEqual([409, 'provider_task_id_unmarked'])
  expect(system.casesOf(taskId)).toEqual(['generationUncertain'])
  expect(await accept(true)).toEqual([200, undefined])
  await system.event(taskId, 'generationCompleted')
})

test('an id that the provider doesn’t know, or that is another attempt’s, is refused and written nowhere', async () => {
  const other = await system.reserveWith({ name: 'never_finishes' })
  await system.event(other.taskId, 'generationAccepted')
  const [submit] = await system.submitsOf(other.prompt)
  const silent = await system.reserveWith({ name: 'never_finishes' }, { name: 'ignore_token' })
  await system.event(silent.taskId, 'generationAccepted')
  const [unechoed] = await system.submitsOf(silent.prompt)
  const { taskId } = await uncertain({ name: 'accept_then_drop' }, { name: 'instant' })
  // No force makes one of another attempt's this one's.
  const accept = async (id?: string | null) =>
    statusAndCode(
      await system.operator('POST', `/reviews/${taskId}/accept`, { provider_task_id: id, reason: 'a slip of the pen', force: true }),
    )
  expect(await accept('sim_nobody')).toEqual([409, 'provider_task_id_unknown'])
  expect(await accept(submit?.generation_id)).toEqual([409, 'provider_task_id_taken'])
  expect(await accept(unechoed?.generation_id)).toEqual([409, 'provider_task_id_taken'])
  const [row] = await system.sql`select provider_task_id from attempt where task_id = ${taskId}`
  expect(row).toEqual({ provider_task_id: null })
  expect(await system.sql`select 1 from review_decision where task_id = ${taskId}`).toHaveLength(0)
})

test('an operator’s refund of an uncertain submit is a refusal, once', async () => {
  const { taskId } = await uncertain({ name: 'drop_before_accept' })
  const twice = [0, 1].map(() => system.operator('POST', `/reviews/${taskId}/refund`, { reason: 'the provider has no trace of it' }))
  expect((await Promise.all(twice)).map(answer => answer.status).sort()).toEqual([200, 409])
  expect((await system.event(taskId, 'generationRefused')).code).toBe('generation_unavailable')
  expect(await statusAndCode(await system.operator('POST', `/reviews/${taskId}/accept`, { provider_task_id: 'x', reason: 'y' }))).toEqual([
    409,
    'not_in_review',
  ])
})

test('an operator’s refund of what never finishes is a failure', async () => {
  const { taskId } = await uncertain({ name: 'never_finishes' })
  expect((await system.operator('POST', `/reviews/${taskId}/refund`, { reason: 'lost at the provider' })).status).toBe(200)
  expect((await system.event(taskId, 'generationFailed')).code).toBe('generation_failed')
  expect(system.casesOf(taskId)).toEqual(['generationAccepted', 'generationUncertain', 'generationFailed'])
})

test('reviews are listed, oldest first, and only what is in review', async () => {
  const first = await uncertain({ name: 'drop_before_accept' })
  const second = await uncertain({ name: '500_before_accept' })
  const { data } = (await (await system.operator('GET', '/reviews')).json()) as { data: { task_id: string; state: string }[] }
  const own = data.filter(one => [first.taskId, second.taskId].includes(one.task_id))
  expect(own).toMatchObject([
    { task_id: first.taskId, state: 'unknown' },
    { task_id: second.taskId, state: 'unknown' },
  ])
  await system.operator('POST', `/reviews/${first.taskId}/refund`, { reason: 'done' })
  const after = (await (await system.operator('GET', '/reviews')).json()) as { data: { task_id: string }[] }
  expect(after.data.map(one => one.task_id)).not.toContain(first.taskId)
})

test('what is not in review, or not a task, or not a request, is refused by name', async () => {
  const { taskId } = await system.reserveWith({ name: 'instant' })
  await system.event(taskId, 'generationCompleted')
  const ask = async (method: string, path: string, body?: object) => statusAndCode(await system.operator(method, path, body))
  expect(await ask('POST', `/reviews/${taskId}/refund`, { reason: 'no' })).toEqual([409, 'not_in_review'])
  expect(await ask('POST', `/reviews/${newTaskId()}/refund`, { reason: 'no' })).toEqual([409, 'not_in_review'])
  expect(await ask('POST', '/reviews/%00/refund', { reason: 'no' })).toEqual([400, 'invalid_request'])
  expect(await ask('GET', `/tasks/${newTaskId()}`)).toEqual([404, 'task_not_found'])
  expect(await ask('GET', '/tasks/%00')).toEqual([400, 'invalid_request'])
  for (const body of [{}, { reason: '' }, { reason: 'a\u0000b' }, { reason: 'x', extra: 1 }])
    expect(await ask('POST', `/reviews/${taskId}/refund`, body)).toEqual([400, 'invalid_request'])
  expect(await ask('POST', `/reviews/${taskId}/accept`, { provider_task_id: 'a b', reason: 'x' })).toEqual([400, 'invalid_request'])
})
