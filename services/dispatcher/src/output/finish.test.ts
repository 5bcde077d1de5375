import { afterAll, beforeAll, expect, test } from 'bun:test'
import { insertJobs } from '@filmgate/kit/jobs/job-repository'
import { servers, testLog, until } from '@filmgate/kit/testing'
import type { DispatcherTask } from '@filmgate/proto/operator/attempt'
import type { Transition } from '../attempt/transition'
import type { Connector } from '../providers/connector'
import { connectSimulator } from '../providers/simulator/connect-simulator'
import { createRouting } from '../routing/routing'
import { type Behaviour, simulatorKey, startTestSystem, type TestSystem } from '../testing/test-system'
import { createOwnEgress, type FinishDeps, finish } from './finish'

let system: TestSystem
beforeAll(async () => {
  system = await startTestSystem()
})
afterAll(() => system?.stop())

const reserveWith = async (...behaviours: Behaviour[]) => (await system.reserveWith(...behaviours)).taskId

const instant = { name: 'instant' }
const bounds = { visibilityMs: 1_000, firstPollMs: 1_000, submitTimeoutMs: 1_000, readTimeoutMs: 1_000 }

/** Of a copier whose transitions are only noted. */
const finishDeps = (connector: Connector, transitions: Transition[]): FinishDeps => ({
  sql: system.sql,
  outputs: system.outputs,
  routing: createRouting({ default: [], models: {} }, [connector]),
  write: async transition => {
    transitions.push(transition)
    return false
  },
  forbiddenRanges: [],
  userAgent: undefined,
  limits: {},
  publicRead: true,
  readMp4: async () => {
    throw new Error('no output is read')
  },
  outputBaseUrl: 'http://outputs.example',
  outputRetentionMs: 60_000,
  askForPoster: async () => undefined,
  copyTimeoutMs: 5_000,
  outputRetryFirstMs: 1,
  outputRetryMsMax: 1,
  outputRetryForMs: 600_000,
  outputReviewAfterMs: 600_000,
  egress: createOwnEgress(),
  outputReviewRetryMs: 1,
  outputRereadMs: 1,
  outputGoneSightingsMin: 2,
  outputGoneMs: 1,
  now: () => new Date(),
  log: testLog,
})

const copyOf = (id: string, kind = 'copy') => {
  const payload = { url: 'http://127.0.0.1:1/', faults: 0 }
  return { kind, id, fairnessKey: '', payload, epoch: 1, tries: 1 }
}

const keyOf = async (taskId: string): Promise<string> => {
  const [row] = await system.sql<{ key: string | null }[]>`select output_key as key from attempt where task_id = ${taskId}`
  return row?.key ?? ''
}

const failed = ['generationAccepted', 'generationProgressed', 'generationFailed'] as const
const held = ['generationAccepted', 'generationProgressed', 'generationUncertain'] as const

test.concurrent.each<[string, Behaviour]>([
  ['an address that leads nowhere, each time the provider gives it', { name: 'output_404' }],
  ['a file that is gone', { name: 'output_status', status: 410 }],
  ['half a video as if it were all, read whole twice', { name: 'output_truncated', clean: true }],
  ['a video cut in its header, read whole twice', { name: 'output_truncated', clean: true, within: 'moov' }],
  ['a video cut in its pictures, read whole twice', { name: 'output_truncated', clean: true, within: 'mdat' }],
  ['a WebM, read whole twice', { name: 'output_wrong_type', is: 'webm', content_type: 'video/mp4' }],
  ['a file of its sound alone, read whole twice', { name: 'deliver_audio_only' }],
  ['a picture, read whole twice', { name: 'output_wrong_type', is: 'png' }],
  ['a page where a video should be, read whole twice', { name: 'output_wrong_type' }],
  ['a page that says it is a video, read whole twice', { name: 'output_wrong_type', content_type: 'video/mp4' }],
])('%s is the provider’s failure, and leaves no object', async (_, behaviour) => {
  const taskId = await reserveWith(behaviour, instant)
  expect((await system.event(taskId, 'generationFailed')).code).toBe('output_unavailable')
  // On a busy machine the time until a review may be over first.
  expect(system.casesOf(taskId).filter(event => event !== 'generationUncertain')).toEqual([...failed])
  expect(await system.outputs.head(await keyOf(taskId))).toBeUndefined()
})

test.concurrent.each<[string, Behaviour]>([
  ['a name that nobody has', { name: 'output_elsewhere', origin: 'https://no-such-host.invalid' }],
  ['an address that nothing is fetched from', { name: 'output_elsewhere', origin: 'https://203.0.113.1' }],
  ['a host that breaks off', { name: 'output_truncated' }],
  ['a host that is overloaded', { name: 'output_status', status: 429 }],
  ['a host that fails', { name: 'output_status', status: 503 }],
  ['a host that doesn’t let us in', { name: 'output_status', status: 403 }],
  ['a redirect to a private address', { name: 'output_redirect' }],
  ['a redirect into our own network', { name: 'output_redirect', to: `${servers.s3.endpoint}/` }],
  ['an address too old, each time the provider gives one', { name: 'output_expired', times: 1_000_000 }],
  ['a video longer than we take', { name: 'output_large', bytes: 3_000_001 }],
  ['an endless output', { name: 'output_endless' }],
])('%s is no verdict: it is tried on past its bound, held for review, and an operator ends it', async (_, behaviour) => {
  const taskId = await reserveWith(behaviour, instant)
  const { at, mayRunUntil } = await system.event(taskId, 'generationUncertain')
  // It has ended at its provider.
  expect(mayRunUntil).toEqual(at)
  expect(system.casesOf(taskId)).toEqual([...held])
  expect(await system.outputs.head(await keyOf(taskId))).toBeUndefined()
  expect((await system.operator('POST', `/reviews/${taskId}/refund`, { reason: 'the provider deleted it' })).status).toBe(200)
  expect((await system.event(taskId, 'generationFailed')).code).toBe('output_unavailable')
})

test.concurrent.each<[string, Behaviour]>([
  ['403', { name: 'output_status', status: 403 }],
  ['an address too old', { name: 'output_expired', times: 1_000_000 }],
])('a host that answers %s: an operator reads what is waited for and until when, and it comes to review then', async (_, behaviour) => {
  const taskId = await reserveWith(behaviour, instant)
  const attempt = async () => {
    const { attempts } = (await (await system.operator('GET', `/tasks/${taskId}`)).json()) as DispatcherTask
    return attempts[0]
  }
  await system.event(taskId, 'generationProgressed')
  const waiting = await until('it is told', async () => (await attempt())?.waiting_for)
  expect(waiting).toMatchObject({ what: 'video file at the provider', cause: expect.stringContaining('answered 403') })
  await system.event(taskId, 'generationUncertain')
  const { review_since, waiting_for, cause } = (await attempt()) ?? {}
  expect({ waiting_for, cause }).toEqual({ waiting_for: null, cause: expect.stringContaining('answered 403') })
  expect(Math.abs(Date.parse(review_since ?? '') - Date.parse(waiting.until))).toBeLessThan(30_000)
})

test.concurrent('a host that fails for a while costs nobody the video', async () => {
  const taskId = await reserveWith({ name: 'output_status', status: 500, times: 6 }, instant)
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId)).not.toContain('generationFailed')
})

test.concurrent('an address that has expired is asked for again, as often as it takes', async () => {
  const taskId = await reserveWith({ name: 'output_expired', times: 3 }, instant)
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId)).toEqual(['generationAccepted', 'generationProgressed', 'generationCompleted'])
})

test.concurrent('the address that the provider gave last is kept: it is tried where no other is given', async () => {
  const taskId = await reserveWith({ name: 'output_status', status: 500 }, instant)
  await system.event(taskId, 'generationProgressed')
  const connector = { ...connectSimulator({ provider: 'simulator', url: system.simulator.url, key: simulatorKey, ...bounds }) }
  connector.poll = async () => [{ status: 'succeeded', outputUrl: 'http://127.0.0.1:1/renewed' }]
  const [row] = await system.sql<{ id: string }[]>`select id from attempt where task_id = ${taskId}`
  const transitions: Transition[] = []
  await finish(finishDeps(connector, transitions), copyOf(row?.id ?? '', 'recopy'), new AbortController().signal)
  expect(transitions[0]?.after).toMatchObject({ next: 'again', payload: { url: 'http://127.0.0.1:1/renewed' } })
})

test.concurrent('a copy in review is tried on, and completes when its output can be had again', async () => {
  const taskId = await reserveWith({ name: 'output_elsewhere', origin: 'https://no-such-host.invalid', delay_ms: 9_000 }, instant)
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId)).toEqual([...held, 'generationCompleted'])
})

test.concurrent('a video that is copied at last is kept as long as any, however long its copy was in review', async () => {
  const taskId = await reserveWith({ name: 'output_elsewhere', origin: 'https://no-such-host.invalid', delay_ms: 9_000 }, instant)
  await system.event(taskId, 'generationUncertain')
  await system.sql`update attempt set output_expires_at = now() - interval '1 day' where task_id = ${taskId}`
  await system.event(taskId, 'generationCompleted')
  const [row] = await system.sql`select output_expires_at > now() + interval '29 days' as kept from attempt where task_id = ${taskId}`
  expect(row?.kept).toBe(true)
})

test.concurrent('an operator has a copy in review tried anew: it goes on under the same key', async () => {
  const taskId = await reserveWith({ name: 'output_status', status: 500 }, instant)
  await system.event(taskId, 'generationUncertain')
  const key = await keyOf(taskId)
  const retried = await system.operator('POST', `/reviews/${taskId}/retry`, { reason: 'the host is back' })
  expect([retried.status, await retried.json()]).toEqual([200, { task_id: taskId, decision: 'retry' }])
  const reviews = await system.operator('GET', '/reviews')
  expect(await reviews.text()).not.toContain(taskId)
  await until('it is held again', () => system.casesOf(taskId).filter(name => name === 'generationUncertain').length === 2)
  expect(await keyOf(taskId)).toBe(key)
})

test.concurrent('an operator who names the provider’s id of a copy in review: it goes on under the same key', async () => {
  const taskId = await reserveWith({ name: 'output_elsewhere', origin: 'https://no-such-host.invalid', delay_ms: 8_000 }, instant)
  await system.event(taskId, 'generationUncertain')
  const [row] = await system.sql<{ key: string; providerTaskId: string }[]>`
    select output_key as key, provider_task_id as "providerTaskId" from attempt where task_id = ${taskId}`
  const body = { provider_task_id: row?.providerTaskId, reason: 'seen in its console' }
  expect((await system.operator('POST', `/reviews/${taskId}/accept`, body)).status).toBe(200)
  expect((await system.event(taskId, 'generationCompleted')).videoUrl).toEndWith(row?.key ?? '-')
})

test.concurrent('a provider that takes its word back while its output is copied has failed', async () => {
  const taskId = await reserveWith({ name: 'output_status', status: 500 }, instant)
  await system.event(taskId, 'generationProgressed')
  const connector = { ...connectSimulator({ provider: 'simulator', url: system.simulator.url, key: simulatorKey, ...bounds }) }
  connector.poll = async () => [{ status: 'failed', code: 'output_moderated', cause: 'failed: "output_moderated"' }]
  const [row] = await system.sql<{ id: string }[]>`select id from attempt where task_id = ${taskId}`
  const transitions: Transition[] = []
  await finish(finishDeps(connector, transitions), copyOf(row?.id ?? '', 'recopy'), new AbortController().signal)
  expect(transitions.map(({ to, columns }) => [to, columns?.code])).toEqual([['failed', 'output_moderated']])
})

test('the key of an output is nothing anybody could guess', async () => {
  const taskId = await reserveWith(instant)
  const { videoUrl } = await system.event(taskId, 'generationCompleted')
  expect(videoUrl).toMatch(/\/filmgate-outputs\/[0-9a-f]{40}\.mp4$/)
  const [row] = await system.sql<{ providerTaskId: string; id: string }[]>`
    select provider_task_id as "providerTaskId", id from attempt where task_id = ${taskId}`
  for (const known of [taskId, row?.id ?? '-', row?.providerTaskId ?? '-']) expect(videoUrl).not.toContain(known.slice(4, 12))
})

test('a dispatcher killed while it copies leaves one object under one key', async () => {
  const taskIds = await Promise.all(Array.from({ length: 8 }, () => reserveWith(instant)))
  await until(
    'a copy is under way',
    async () => (await system.sql`select 1 from job where kind = 'copy' and lease_until > now()`).count > 0,
  )
  await system.killDispatcher('SIGKILL')
  const keys = new Map(await Promise.all(taskIds.map(async taskId => [taskId, await keyOf(taskId)] as const)))
  await system.startDispatcher()
  for (const taskId of taskIds) {
    const { videoUrl } = await system.event(taskId, 'generationCompleted')
    const before = keys.get(taskId)
    if (before) expect(videoUrl).toEndWith(before)
    expect((await fetch(videoUrl)).status).toBe(200)
  }
})

test('a copier whose lease was lost gives up without taking away what a later one copied', async () => {
  const taskId = await reserveWith(instant)
  await system.event(taskId, 'generationCompleted')
  // As the first copier read it before the second one finished.
  const [read] = await system.sql<{ id: string; key: string }[]>`
    update attempt set state = 'copying' where task_id = ${taskId} returning id, output_key as key`
  const nowhere = connectSimulator({ provider: 'simulator', url: 'http://127.0.0.1:1', key: simulatorKey, ...bounds })
  const transitions: Transition[] = []
  await finish(finishDeps(nowhere, transitions), copyOf(read?.id ?? ''), new AbortController().signal)
  expect(transitions.map(({ to, after }) => [to, after.next])).toEqual([[undefined, 'hand-over']])
  expect(await system.outputs.head(read?.key ?? '')).toBeDefined()
  await system.sql`update attempt set state = 'completed' where task_id = ${taskId}`
})

test('a copy whose provider is not configured is held for review past its bound; an operator ends it, or the provider that is back', async () => {
  const [refundedId, copiedId] = [await reserveWith(instant), await reserveWith(instant)]
  const { videoUrl } = await system.event(copiedId, 'generationCompleted')
  await system.event(refundedId, 'generationCompleted')
  // As they are when their provider is taken out of the configuration before they are copied.
  const rows = await system.sql<{ id: string }[]>`
    update attempt set state = 'copying', ended_at = null, provider = 'gone', copying_since = now() - interval '7 hours'
    where task_id in (${refundedId}, ${copiedId}) returning id`
  await insertJobs(
    system.sql,
    rows.map(({ id }) => ({ kind: 'copy', id, payload: { url: 'http://127.0.0.1:1/', faults: 0 } })),
  )
  await system.event(refundedId, 'generationUncertain')
  expect((await system.operator('POST', `/reviews/${refundedId}/refund`, { reason: 'its provider is gone' })).status).toBe(200)
  await system.event(refundedId, 'generationFailed')

  await system.event(copiedId, 'generationUncertain')
  await system.sql`update attempt set provider = 'simulator' where task_id = ${copiedId}`
  await until('it is completed again', () => system.casesOf(copiedId).filter(name => name === 'generationCompleted').length === 2)
  expect(videoUrl).toEndWith(await keyOf(copiedId))
})

test('a copy that our own store doesn’t take comes to review, and completes when it does; its provider has failed in nothing', async () => {
  await system.killDispatcher('SIGTERM')
  await system.startDispatcher({ S3_OUTPUTS_BUCKET: `no-such-bucket-${crypto.randomUUID()}` })
  const taskId = await reserveWith(instant)
  await system.event(taskId, 'generationUncertain')
  expect(system.casesOf(taskId)).toEqual([...held])
  await system.killDispatcher('SIGTERM')
  await system.startDispatcher()
  await system.event(taskId, 'generationCompleted')
  expect(system.casesOf(taskId)).toEqual([...held, 'generationCompleted'])
})

test('an output is deleted at the end of its retention', async () => {
  await system.killDispatcher('SIGTERM')
  await system.startDispatcher({ FILMGATE_OUTPUT_RETENTION_MS: '1', FILMGATE_OUTPUT_EXPIRE_EVERY_MS: '200' })
  const taskId = await reserveWith(instant)
  const { videoUrl } = await system.event(taskId, 'generationCompleted')
  // As a copier leaves it that is killed between its upload and the row, and whose attempt fails after that.
  const failedId = await reserveWith({ name: 'output_404' }, instant)
  await until('its key is chosen', async () => (await keyOf(failedId)) !== '')
  const left = await keyOf(failedId)
  await system.outputs.put(left, Buffer.from('left'), { contentType: 'video/mp4' })
  await system.event(failedId, 'generationFailed')
  await system.sql`update job set run_at = now() where kind = 'expire'`
  await until('what a failed attempt left is gone', async () => (await system.outputs.head(left)) === undefined)
  await until('the output is gone', async () => (await fetch(videoUrl)).status === 404)
  await until('that is written down', async () => {
    const [row] = await system.sql<{ state: string; expiresAt: Date | null }[]>`
      select state, output_expires_at as "expiresAt" from attempt where task_id = ${taskId}`
    return row?.state === 'completed' && row.expiresAt === null
  })
  await system.killDispatcher('SIGTERM')
  await system.startDispatcher()
})
