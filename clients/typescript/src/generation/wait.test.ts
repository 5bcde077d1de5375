import { expect, spyOn, test } from 'bun:test'
import type { ServerResponse } from 'node:http'
import { Filmgate, type FilmgateError, type Progress, type TaskEvent } from '../index.ts'
import { fastClock } from '../testing/fast-clock.ts'
import { ended, type Instead, json, processing, refuse, type Seen, startGateway } from '../testing/gateway.ts'

const clientOf = ({ url }: { url: string }) => new Filmgate({ apiKey: 'sk_live_test', baseUrl: url })
const phasesOf = (progress: Progress[]) => progress.map(({ phase }) => phase)
const caught = (error: unknown) => error as FilmgateError

/** A gateway that answers GET /tasks/vt_1 with these, one after another, and events so. */
const startWith = (
  tasks: object[],
  events: (answer: ServerResponse, after: number, streams: number) => unknown,
  headers?: Record<string, string>,
) => {
  let streams = 0
  const instead: Instead = ({ path, headers: sent }, answer) => {
    if (path.endsWith('/events')) {
      events(answer, Number(sent['last-event-id'] ?? 0), ++streams)
      return true
    }
    return json(answer, 200, tasks.length > 1 ? (tasks.shift() as object) : (tasks[0] as object), headers)
  }
  return startGateway(instead)
}

const done = ended('vt_1', 'http://127.0.0.1:9')
const running = processing('vt_1')
const unsupported = (answer: ServerResponse) => refuse(answer, 404, 'not_found')
const stream = (answer: ServerResponse, ...events: Partial<TaskEvent>[]) => {
  answer.writeHead(200, { 'content-type': 'text/event-stream' })
  answer.write('retry: 1000\n\n')
  for (const event of events) answer.write(`id: ${event.id}\ndata: ${JSON.stringify({ at: running.created_at, ...event })}\n\n`)
}

test('a stream that ends before its task is resumed behind the last event, and no step is told twice', async () => {
  const told: number[] = []
  await using gateway = await startWith([running, done], (answer, after, streams) => {
    told.push(after)
    if (streams === 1) stream(answer, { id: '1', type: 'queued' }, { id: '2', type: 'accepted' })
    if (streams === 2) stream(answer, { id: '2', type: 'accepted' }, { id: '3', type: 'running', percent: 70 })
    if (streams === 3) stream(answer, { id: '4', type: 'later_invention' as 'queued' }, { id: '5', type: 'completed' })
    answer.end()
  })
  using clock = fastClock(50)
  const progress: Progress[] = []
  const { task } = await clientOf(gateway).wait('vt_1', { onProgress: step => progress.push(step) })
  expect(task).toEqual(done)
  expect(told).toEqual([0, 2, 3])
  // The server said `retry: 1000`: never sooner.
  expect(clock.asked.filter(ms => ms < 1_000)).toEqual([])
  expect(progress.map(({ phase, percent }) => [phase, percent])).toEqual([
    ['queued', undefined],
    ['generating', undefined],
    ['generating', 70],
    ['settled', undefined],
  ])
})

test('where no events come the read is held by the server, and where it holds none it is polled at the pace that is named', async () => {
  for (const [headers, pauseMs] of [
    [{ 'preference-applied': 'wait=30' }, 1_000],
    [{}, 10_000],
    [{ 'retry-after': '12' }, 12_000],
  ] as const) {
    await using gateway = await startWith([running, running, running, done], unsupported, headers)
    using clock = fastClock(50)
    expect((await clientOf(gateway).wait('vt_1')).task).toEqual(done)
    expect(gateway.seen.filter(({ path }) => path.endsWith('/events'))).toHaveLength(1)
    expect(gateway.seen.at(-1)?.headers.prefer).toBe('wait=30')
    expect(clock.asked.filter(ms => ms === pauseMs)).not.toEqual([])
  }
})

test('a review is told and waited for; at the end of the time the error names the task and how to resume', async () => {
  await using gateway = await startWith([{ ...running, billing_status: 'review' }], answer =>
    stream(answer, { id: '1', type: 'in_review' }),
  )
  const progress: Progress[] = []
  const error = await clientOf(gateway)
    .wait('vt_1', { timeoutMs: 300, onProgress: step => progress.push(step) })
    .catch(caught)
  expect(phasesOf(progress)).toEqual(['review'])
  expect(progress[0]?.task.billing_status).toBe('review')
  expect(error).toMatchObject({ code: 'timeout', taskId: 'vt_1', message: expect.stringContaining("wait('vt_1')") })
})

test('a task that fails is an error with its code, its message and the task', async () => {
  const failed = {
    ...running,
    status: 'failed',
    billing_status: 'refund_pending',
    error: { code: 'output_moderated', message: 'withheld' },
  }
  await using gateway = await startWith([running, failed], answer =>
    stream(answer, { id: '1', type: 'failed', error: { code: 'output_moderated', message: 'withheld' } }),
  )
  const progress: Progress[] = []
  const error = await clientOf(gateway)
    .wait('vt_1', { onProgress: step => progress.push(step) })
    .catch(caught)
  expect(error).toMatchObject({ code: 'output_moderated', message: 'withheld', taskId: 'vt_1', task: failed })
  expect(phasesOf(progress)).toEqual(['failed'])
})

test('a key that is revoked meanwhile, and a task of others, are told', async () => {
  for (const [status, code] of [
    [401, 'invalid_api_key'],
    [404, 'task_not_found'],
  ] as const) {
    await using gateway = await startWith([running], answer => refuse(answer, status, code))
    expect(await clientOf(gateway).wait(running).catch(caught)).toMatchObject({ code, status, taskId: 'vt_1' })
  }
})

const kindsOf = (seen: Seen[]) => seen.map(({ path, headers }) => (path.endsWith('/events') ? 'stream' : headers.prefer ? 'held' : 'read'))

test('streams that are silent are left for a held read and tried again', async () => {
  await using gateway = await startWith([running, running, running, done], answer =>
    answer.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders(),
  )
  using _ = fastClock(100)
  gateway.state.instead = afterStreams(gateway.state.instead, 4)
  expect((await clientOf(gateway).wait('vt_1')).task).toEqual(done)
  expect(kindsOf(gateway.seen)).toEqual(['read', 'stream', 'stream', 'stream', 'held', 'stream', 'read'])
})

/** The stream of that number says that the task has ended, and it has. */
const afterStreams =
  (instead: Instead | undefined, last: number): Instead =>
  (seen, answer) => {
    if (!seen.path.endsWith('/events')) return last > 0 ? instead?.(seen, answer) : json(answer, 200, done)
    if (--last > 0) return instead?.(seen, answer)
    answer.writeHead(204).end()
    return true
  }

test('a key that holds all its streams reads from then on, and not before Retry-After', async () => {
  await using gateway = await startWith([running, running, done], answer =>
    refuse(answer, 429, 'rate_limited', { details: { limit: 'event_streams' }, retryAfter: '90' }),
  )
  // A request's own time limit runs as fast: a busy machine must answer within it.
  using clock = fastClock(100)
  expect((await clientOf(gateway).wait('vt_1')).task).toEqual(done)
  expect(kindsOf(gateway.seen)).toEqual(['read', 'stream', 'held', 'held'])
  expect(clock.asked.filter(ms => ms >= 90_000 && ms <= 135_000)).toHaveLength(1)
})

test('a task whose stream is cut again and again is read every ten seconds at most', async () => {
  const readAts: number[] = []
  const started = performance.now()
  const now = performance.now.bind(performance)
  await using gateway = await startWith([running], (answer, after) => {
    stream(answer, { id: String(after + 1), type: after < 9 ? 'running' : 'completed', percent: after })
    answer.end()
  })
  const { instead } = gateway.state
  gateway.state.instead = (seen, answer) => {
    if (seen.path.endsWith('/events')) return instead?.(seen, answer)
    readAts.push((now() - started) * 50)
    return kindsOf(gateway.seen).filter(kind => kind === 'stream').length < 10 ? instead?.(seen, answer) : json(answer, 200, done)
  }
  using _ = fastClock(50)
  const clock = spyOn(performance, 'now').mockImplementation(() => now() * 50)
  await clientOf(gateway)
    .wait('vt_1')
    .finally(() => clock.mockRestore())
  const pauses = readAts.slice(1, -1).map((at, index) => at - (readAts[index] ?? 0))
  expect(pauses.length).toBeGreaterThan(0)
  expect(pauses.filter(ms => ms < 9_000)).toEqual([])
})

test('a read that is refused while a stream is open ends the stream', async () => {
  let closed = 0
  await using gateway = await startGateway(({ path }, answer) => {
    if (!path.endsWith('/events')) return refuse(answer, 401, 'invalid_api_key')
    stream(answer, { id: '1', type: 'in_review' })
    answer.on('close', () => closed++)
    return true
  })
  expect(await clientOf(gateway).wait(running).catch(caught)).toMatchObject({ code: 'invalid_api_key' })
  for (const from = performance.now(); closed < 1 && performance.now() - from < 2_000; ) await Bun.sleep(20)
  expect(closed).toBe(1)
})

test('a client holds twenty streams; what waits beyond reads, and all end', async () => {
  let open = 0
  let openMax = 0
  const streams: ServerResponse[] = []
  await using gateway = await startGateway(({ path, headers }, answer) => {
    const id = /vt_\d+/.exec(path)?.[0] ?? ''
    if (path.endsWith('/events')) {
      openMax = Math.max(openMax, ++open)
      stream(answer, { id: '1', type: 'accepted' })
      streams.push(answer)
      answer.on('close', () => open--)
      return true
    }
    if (!headers.prefer) return json(answer, 200, ended(id, 'http://127.0.0.1:9'))
    setTimeout(() => json(answer, 200, ended(id, 'http://127.0.0.1:9'), { 'preference-applied': 'wait=30' }), 50)
    return true
  })
  const filmgate = clientOf(gateway)
  const waits = Array.from({ length: 60 }, (_, index) => filmgate.wait(processing(`vt_${index}`)))
  await Promise.all(waits.slice(20))
  expect(openMax).toBe(20)
  for (const answer of streams) answer.end('id: 2\ndata: {"id":"2","type":"completed"}\n\n')
  await Promise.all(waits)
})

test('events of a task come once each over broken streams, and their connection ends with their reader', async () => {
  let closed = 0
  await using gateway = await startWith([running], (answer, after) => {
    stream(answer, { id: String(after + 1), type: after < 3 ? 'running' : 'completed' })
    answer.on('close', () => closed++)
    if (after < 1) answer.end()
  })
  using _ = fastClock(50)
  const ids: string[] = []
  for await (const { id } of clientOf(gateway).tasks.events('vt_1')) {
    ids.push(id)
    if (id === '2') break
  }
  expect(ids).toEqual(['1', '2'])
  for (const from = performance.now(); closed < 2 && performance.now() - from < 2_000; )
    await new Promise(resolve => setTimeout(resolve, 100))
  expect(closed).toBe(2)
})

test('what a callback throws ends the call as it is, and a signal ends it at once', async () => {
  await using gateway = await startWith([running], answer => stream(answer, { id: '1', type: 'accepted' }))
  const broken = () => {
    throw new RangeError('mine')
  }
  expect(await clientOf(gateway).wait('vt_1', { onProgress: broken }).catch(caught)).toEqual(new RangeError('mine') as never)
  const controller = new AbortController()
  const error = await clientOf(gateway)
    .wait('vt_1', { signal: controller.signal, onProgress: () => controller.abort() })
    .catch(caught)
  expect(error).toMatchObject({ code: 'aborted', taskId: 'vt_1' })
})
