import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startTestSimulator, testRequest } from '../testing/simulator'

let simulator: Awaited<ReturnType<typeof startTestSimulator>>
beforeAll(async () => {
  simulator = await startTestSimulator()
})
afterAll(() => simulator.stop())

const failure = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    error => String(error.code),
  )

test('a submit is accepted and its video is made', async () => {
  const request = testRequest()
  const { status, body } = await simulator.submit(request)
  expect(status).toBe(201)
  const done = await simulator.until(body.id, 'succeeded')
  expect(done).toMatchObject({ client_task_id: request.client_task_id, output_url: `${simulator.origin}/outputs/${body.id}.mp4` })
})

test('the same client_task_id is one generation, however often it is sent', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'never_finishes' }])
  const answers = await Promise.all(Array.from({ length: 10 }, () => simulator.submit(request)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 200, 200, 201])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(await simulator.submitCount(request)).toBe(10)
})

test('the same client_task_id with another body is refused', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'never_finishes' }])
  await simulator.submit(request)
  const { status, body } = await simulator.submit({ ...request, prompt: 'another' })
  expect([status, body.error.code]).toEqual([409, 'client_task_id_reused'])
})

test('a body of another form is refused with its faults', async () => {
  const { status, body } = await simulator.post('/v1/generations', { ...testRequest(), duration_seconds: 1.5, colour: 'red' })
  expect([status, body.error.code]).toEqual([400, 'invalid_request'])
  expect(body.error.details.faults.map(({ path }: { path: string }) => path)).toEqual(['/colour', '/duration_seconds'])
  expect((await simulator.submit(testRequest({ resolution: '123p' }))).status).toBe(400)
})

test('nothing is done without the key', async () => {
  const headers = { authorization: 'Bearer wrong-key' }
  for (const path of ['/v1/generations/x', '/admin/behaviours', '/admin/submits'])
    expect(await simulator.json(path, { headers })).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
})

test('refuse: the chosen refusal, and nothing was made', async () => {
  for (const [code, status] of [
    ['invalid_request', 400],
    ['balance_exhausted', 402],
    ['too_many_requests', 429],
  ] as const) {
    const request = testRequest()
    await simulator.behave(request, [{ name: 'refuse', code }])
    expect(await simulator.submit(request)).toMatchObject({ status, body: { error: { code } } })
    expect((await simulator.lookUp(request.client_task_id)).body.data).toEqual([])
  }
})

test('refuse_content: 422, and nothing was made', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'refuse_content' }])
  expect(await simulator.submit(request)).toMatchObject({ status: 422, body: { error: { code: 'content_rejected' } } })
  expect((await simulator.lookUp(request.client_task_id)).body.data).toEqual([])
})

test('accept_then_drop: no answer, but look-up finds it', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'accept_then_drop' }])
  expect(await failure(simulator.submit(request))).toBe('ECONNRESET')
  expect((await simulator.lookUp(request.client_task_id)).body.data).toHaveLength(1)
})

test('accept_then_500: an error, but look-up finds it', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'accept_then_500' }])
  expect((await simulator.submit(request)).status).toBe(500)
  expect((await simulator.lookUp(request.client_task_id)).body.data).toHaveLength(1)
})

test('bad_json: a 201 nobody can read, but look-up finds it', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'bad_json' }])
  const answer = await simulator.call('/v1/generations', { method: 'POST', body: JSON.stringify(request) })
  expect([answer.status, await answer.text()]).toEqual([201, '{"id":'])
  expect((await simulator.lookUp(request.client_task_id)).body.data).toHaveLength(1)
})

test('drop_before_accept and 500_before_accept: the same to the caller, and nothing was made', async () => {
  const dropped = testRequest()
  await simulator.behave(dropped, [{ name: 'drop_before_accept' }])
  expect(await failure(simulator.submit(dropped))).toBe('ECONNRESET')
  const broken = testRequest()
  await simulator.behave(broken, [{ name: '500_before_accept' }])
  expect((await simulator.submit(broken)).status).toBe(500)
  for (const { client_task_id } of [dropped, broken]) expect((await simulator.lookUp(client_task_id)).body.data).toEqual([])
})

test('accept_late: the caller hangs up, look-up finds nothing, and later it is there all the same', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'accept_late', delay_ms: 1_500 }, { name: 'never_finishes' }])
  const call = simulator.call('/v1/generations', { method: 'POST', body: JSON.stringify(request), signal: AbortSignal.timeout(150) })
  expect(await failure(call)).not.toBe('answered')
  expect((await simulator.lookUp(request.client_task_id)).body.data).toEqual([])
  while ((await simulator.lookUp(request.client_task_id)).body.data.length === 0) await Bun.sleep(20)
  expect(await simulator.submitCount(request)).toBe(1)
})

test('ignore_token: each submit is another generation, and no look-up finds one', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'ignore_token' }, { name: 'never_finishes' }])
  const [first, second] = [await simulator.submit(request), await simulator.submit(request)]
  expect(first.body.id).not.toBe(second.body.id)
  expect(first.body.client_task_id).toBeNull()
  expect((await simulator.lookUp(request.client_task_id)).body.data).toEqual([])
})

test('wrong_id: the id told is nobody’s, or another generation’s; look-up knows the right one', async () => {
  const request = testRequest()
  await simulator.behave(request, [{ name: 'wrong_id' }, { name: 'never_finishes' }])
  const { body } = await simulator.submit(request)
  expect((await simulator.json(`/v1/generations/${body.id}`)).status).toBe(404)
  const [found] = (await simulator.lookUp(request.client_task_id)).body.data
  expect(found?.id).not.toBe(body.id)

  const confused = testRequest()
  await simulator.behave(confused, [{ name: 'wrong_id', of: 'another' }, { name: 'never_finishes' }])
  const told = await simulator.submit(confused)
  expect((await simulator.read(told.body.id)).client_task_id).toBe(request.client_task_id)
})
