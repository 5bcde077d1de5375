import { afterEach, expect, spyOn, test } from 'bun:test'
import { Filmgate, FilmgateError, isCode, type Retry } from '../index.ts'
import { fastClock } from '../testing/fast-clock.ts'
import { type Instead, json, processing, refuse, startGateway } from '../testing/gateway.ts'

const request = { model: 'alpha-h3', prompt: 'A paper boat', duration: 5 } as const
const task = processing('vt_known')

let clock = fastClock(50)
afterEach(() => clock[Symbol.dispose]())

/** What a call comes to where the gateway's first answers to POSTs are these; then it answers as it does. */
async function createAgainst(...answers: ((answer: Parameters<Instead>[1]) => unknown)[]) {
  clock = fastClock(50)
  let posts = 0
  await using gateway = await startGateway(({ method }, answer) => {
    const next = method === 'POST' ? answers[posts++] : undefined
    next?.(answer)
    return next !== undefined
  })
  const retries: Retry[] = []
  const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: gateway.url, onRetry: retry => retries.push(retry) })
  const result = await filmgate.create(request, { idempotencyKey: 'order-1' }).catch((error: unknown) => error)
  const sent = gateway.seen.filter(({ method }) => method === 'POST')
  return { result, retries, sent, seen: gateway.seen, taskCount: gateway.tasks.size }
}

const html = (status: number) => (answer: Parameters<Instead>[1]) =>
  answer.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Oh</h1>')
const error =
  (status: number, code: string, more?: { details?: object; retryAfter?: string }) =>
  (answer: Parameters<Instead>[1]): true =>
    refuse(answer, status, code, more)

test('what the contract allows is sent again with the same key and the same bytes', async () => {
  const retryable = {
    'no answer': answer => answer.destroy(),
    'a body that is cut': answer => answer.writeHead(202, { 'content-type': 'application/json' }).end('{"id":"vt_'),
    '503': error(503, 'service_unavailable', { retryAfter: '2' }),
    '503 without a task': error(503, 'generation_unavailable', { retryAfter: '2' }),
    '429': error(429, 'rate_limited', { retryAfter: '3' }),
    '429 until a date': error(429, 'unfinished_task_limit', { retryAfter: new Date(Date.now() + 5_000).toUTCString() }),
    '500': error(500, 'internal_error'),
    '408': error(408, 'request_timeout'),
    '502': html(502),
    '504': html(504),
    '500 of a proxy': html(500),
    '503 of a proxy': html(503),
  } satisfies Record<string, (answer: Parameters<Instead>[1]) => unknown>
  for (const [name, answer] of Object.entries(retryable)) {
    const { result, retries, sent, taskCount } = await createAgainst(answer)
    expect([name, result]).toMatchObject([name, { id: 'vt_1' }])
    expect([name, sent.length, taskCount, retries.length]).toEqual([name, 2, 1, 1])
    expect(sent.map(({ headers, body }) => [headers['idempotency-key'], body])).toEqual(Array(2).fill(['order-1', JSON.stringify(request)]))
  }
})

test('Retry-After is obeyed: seconds are never shortened', async () => {
  const { retries } = await createAgainst(
    error(429, 'rate_limited', { retryAfter: '7' }),
    error(503, 'service_unavailable', { retryAfter: '2' }),
  )
  expect(retries.map(({ delayMs }) => Math.floor(delayMs / 1_000))).toEqual([7, 2])
})

test('a refusal is told once with its code, its details and the names of the call, and is not sent again', async () => {
  const refusals: [number, string, object?][] = [
    [400, 'invalid_request', { issues: [{ path: 'duration', rule: 'maximum', message: 'too long' }] }],
    [400, 'media_corrupt', { task_id: 'vt_bad', field: 'image_url' }],
    [401, 'invalid_api_key'],
    [402, 'insufficient_credits', { required_credits: 40, available_credits: 3 }],
    [404, 'not_found'],
    [409, 'idempotency_key_reused'],
    [409, 'cancelled', { task_id: 'vt_bad' }],
    [413, 'body_too_large'],
    [503, 'generation_unavailable', { task_id: 'vt_bad' }],
  ]
  for (const [status, code, details] of refusals) {
    const { result, sent } = await createAgainst(error(status, code, { details, retryAfter: '1' }))
    const taskId = details && 'task_id' in details ? 'vt_bad' : undefined
    expect(result).toBeInstanceOf(FilmgateError)
    expect(result).toMatchObject({
      code,
      status,
      details,
      taskId,
      idempotencyKey: 'order-1',
      requestId: 'a'.repeat(32),
      retryAfterSeconds: 1,
    })
    expect([code, sent.length]).toEqual([code, 1])
  }
})

test('a model that nobody has is asked for three times, and a fault of the server as often', async () => {
  for (const code of ['generation_unavailable', 'internal_error']) {
    const { result, sent } = await createAgainst(...Array(5).fill(error(code === 'internal_error' ? 500 : 503, code)))
    expect([isCode(result, code as 'internal_error'), sent.length]).toEqual([true, 3])
  }
})

test('where acceptance is uncertain the task is read, and no second POST is sent', async () => {
  let read = 0
  clock = fastClock(50)
  await using gateway = await startGateway(({ method }, answer) => {
    if (method === 'POST') return refuse(answer, 503, 'acceptance_uncertain', { details: { task_id: task.id }, retryAfter: '10' })
    return read++ === 0 ? refuse(answer, 503, 'service_unavailable') : json(answer, 200, { ...task, billing_status: 'review' })
  })
  const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: gateway.url })
  expect(await filmgate.create(request)).toEqual({ ...task, billing_status: 'review' })
  expect(gateway.seen.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET'])
})

test('a task that was accepted perhaps, and could not be read, leaves the outcome unknown', async () => {
  await using gateway = await startGateway(({ method }, answer) => {
    if (method === 'POST') return refuse(answer, 503, 'acceptance_uncertain', { details: { task_id: task.id } })
    return refuse(answer, 401, 'invalid_api_key')
  })
  const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: gateway.url })
  const error = await filmgate.create(request).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'invalid_api_key', taskId: task.id, outcomeUnknown: true })
})

test('a redirect is an answer that is not of this API: the key is not sent after it', async () => {
  await using elsewhere = await startGateway()
  const { result, sent } = await createAgainst(answer => answer.writeHead(307, { location: `${elsewhere.url}/video/generations` }).end())
  expect([isCode(result, 'unexpected_answer'), sent.length, elsewhere.seen.length]).toEqual([true, 1, 0])
})

test('a call ends at its time or its signal with how to go on, and an earlier one is told as what it was', async () => {
  clock = fastClock(1)
  await using gateway = await startGateway((_, answer) => {
    answer.destroy()
    return true
  })
  const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: gateway.url })
  const late = await filmgate.create(request, { idempotencyKey: 'late', timeoutMs: 400 }).catch((error: unknown) => error)
  expect(late).toMatchObject({ code: 'timeout', idempotencyKey: 'late', message: expect.stringContaining("idempotencyKey 'late'") })
  const controller = new AbortController()
  const leaving = filmgate.create(request, { signal: controller.signal }).catch((error: unknown) => error)
  await Bun.sleep(50)
  controller.abort('enough')
  expect(await leaving).toMatchObject({ code: 'aborted', cause: 'enough', idempotencyKey: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  const before = gateway.seen.length
  expect(await filmgate.create(request, { signal: AbortSignal.abort() }).catch((error: unknown) => error)).toMatchObject({
    code: 'aborted',
  })
  expect(gateway.seen.length).toBe(before)
})

test('a Retry-After beyond the end of the call is told at once', async () => {
  await using gateway = await startGateway((_, answer) => refuse(answer, 429, 'upload_limit', { retryAfter: '86400' }))
  const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: gateway.url })
  const refused = await filmgate.credits().catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'upload_limit', retryAfterSeconds: 86_400 })
})

test('a key that no header can hold is refused before anything is sent, in words without it', async () => {
  const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: 'http://127.0.0.1:9/api/v1' })
  for (const idempotencyKey of ['', 'a b', 'x'.repeat(161), 'é'])
    expect(await filmgate.create(request, { idempotencyKey }).catch((error: unknown) => error)).toMatchObject({ code: 'invalid_argument' })
  expect(() => new Filmgate({ apiKey: 'sk_live_\nsecret', baseUrl: 'http://x/api/v1' })).toThrow(/^(?!.*secret)/s)
  expect(Bun.inspect(filmgate, { depth: 9 })).not.toContain('sk_live_test')
  expect(JSON.stringify(filmgate)).not.toContain('sk_live_test')
})

test('without an answer a call ends in time, but never after one attempt, however long that one took', async () => {
  for (const [attemptSeconds, answersFrom, posts] of [
    [260, 2, 2],
    [20, 99, 3],
    [10, 99, 5],
  ] as const) {
    let seconds = 0
    const now = spyOn(performance, 'now').mockImplementation(() => seconds * 1_000)
    let sent = 0
    await using gateway = await startGateway((_, answer) => {
      seconds += attemptSeconds
      if (++sent >= answersFrom) return false
      answer.destroy()
      return true
    })
    clock = fastClock(1_000)
    const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: gateway.url })
    const result: unknown = await filmgate.create(request).catch((error: unknown) => error)
    now.mockRestore()
    expect([sent, isCode(result, 'connection_failed')]).toEqual([posts, answersFrom === 99])
  }
})

const cut = (answer: Parameters<Instead>[1]) => answer.destroy()

test('a refusal that comes before the look-up of the key does not hide an attempt that may have arrived', async () => {
  for (const [status, code] of [
    [401, 'invalid_api_key'],
    [401, 'missing_api_key'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [400, 'invalid_json'],
    [413, 'body_too_large'],
  ] as const) {
    const { result } = await createAgainst(cut, error(429, 'rate_limited', { retryAfter: '1' }), error(status, code))
    expect([code, result]).toMatchObject([code, { code, status, outcomeUnknown: true, idempotencyKey: 'order-1' }])
    expect((result as FilmgateError).message).toContain(
      "Whether there is a task is not known: the same request with idempotencyKey 'order-1'",
    )
    const { result: first } = await createAgainst(error(status, code))
    expect([code, first]).toMatchObject([code, { code, outcomeUnknown: false, message: `refused: ${code}` }])
  }
})

test('a 429 with a longer pause than the call has says what it hides', async () => {
  let posts = 0
  clock = fastClock(50)
  await using gateway = await startGateway((_, answer) => {
    if (posts++ > 0) return refuse(answer, 429, 'rate_limited', { retryAfter: '999' })
    answer.destroy()
    return true
  })
  const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: gateway.url })
  const late = await filmgate.create(request, { idempotencyKey: 'k', timeoutMs: 5_000 }).catch((error: unknown) => error)
  expect(late).toMatchObject({ code: 'rate_limited', outcomeUnknown: true, message: expect.stringContaining("idempotencyKey 'k'") })
})

test('a refusal after the look-up is definite, and an answer that is none of the API leaves it open', async () => {
  for (const [status, code] of [
    [402, 'insufficient_credits'],
    [400, 'invalid_request'],
    [409, 'idempotency_key_reused'],
  ] as const)
    expect((await createAgainst(cut, error(status, code))).result).toMatchObject({ code, outcomeUnknown: false })
  const notTask = (answer: Parameters<Instead>[1]) => json(answer, 200, { hello: 'world' })
  const nothing = (answer: Parameters<Instead>[1]) => answer.writeHead(204).end()
  for (const answer of [notTask, nothing, html(200)])
    expect((await createAgainst(answer)).result).toMatchObject({
      code: 'unexpected_answer',
      outcomeUnknown: true,
      idempotencyKey: 'order-1',
      message: expect.stringContaining("idempotencyKey 'order-1'"),
    })
  const { result } = await createAgainst(...Array(3).fill(error(500, 'internal_error')))
  expect(result).toMatchObject({ code: 'internal_error', outcomeUnknown: true })
})

test('a call that is aborted before its POST made nothing, and one that is aborted while it is sent may have', async () => {
  await using gateway = await startGateway(() => true)
  const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: gateway.url })
  const before = await filmgate.create(request, { signal: AbortSignal.abort() }).catch((error: unknown) => error)
  expect(before).toMatchObject({ code: 'aborted', outcomeUnknown: false, message: 'Aborted by the caller.' })
  const during = await filmgate.create(request, { signal: AbortSignal.timeout(100) }).catch((error: unknown) => error)
  expect(during).toMatchObject({ code: 'aborted', outcomeUnknown: true, message: expect.stringContaining('Whether there is a task') })
  const read = await filmgate.tasks.get('vt_1', { timeoutMs: 100 }).catch((error: unknown) => error)
  expect(read).toMatchObject({ code: 'timeout', outcomeUnknown: false })
})
