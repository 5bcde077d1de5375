import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Incoming } from '@filmgate/kit/bus/bus'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { type TasksEvent, TasksEventSchema } from '@filmgate/proto/gen/filmgate/v1/tasks_pb'
import { receive } from '../deliveries/receive'
import { createEndpoint } from '../endpoints/create-endpoint'
import { createVault } from '../secrets/vault'
import { startSender } from '../sending/sender'

/** A request as an endpoint gets it. */
export type Received = {
  path: string
  headers: Record<string, string>
  body: string
  type: string
  taskId: string | undefined
  atMs: number
}

/** An endpoint's server, which answers as `answer` says. */
export function startReceiver(answer: (received: Received) => Response | Promise<Response> = () => new Response('taken')) {
  const received: Received[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = await request.text()
      const { type, data } = JSON.parse(body) as { type: string; data: { task?: { id: string } } }
      const headers = Object.fromEntries(request.headers)
      const one = { path: new URL(request.url).pathname, headers, body, type, taskId: data.task?.id, atMs: performance.now() }
      received.push(one)
      return answer(one)
    },
  })
  return { received, origin: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

/** The service's parts on a database of their own; `origins` are those of private endpoints that may be sent to. */
export async function startParts(origins: string[], own: { attemptsMax?: number; attemptTimeoutMs?: number; leaseMs?: number } = {}) {
  const database = await testDatabase(join(import.meta.dir, '../../migrations'))
  const { sql } = database
  const vault = await createVault(['a-key-of-the-tests-of-some-length-0123456789'])
  const policy = { forbiddenRanges: [], trustedOrigins: origins.map(origin => ({ origin })) }
  const now = () => new Date()
  const settings = {
    attemptsMax: 16,
    retryFirstMs: 200,
    pauseAfterDays: 3,
    retryForSeconds: 60,
    keptDays: 30,
    attemptTimeoutMs: 1_000,
    leaseMs: 3_000,
    ...own,
  }
  const deps = { sql, vault, policy, now, log: testLog, ...settings }
  const senders: { stop(): Promise<void> }[] = []
  let wake = () => {}
  return {
    ...deps,
    wake: () => wake(),
    createEndpoint: (accountId: string, url: string) => createEndpoint(deps, { accountId, url }),
    receive: (messages: Incoming<TasksEvent>[]) =>
      receive({ sql, retryForSeconds: settings.retryForSeconds, keptDays: settings.keptDays, wake: () => wake() }, messages),
    startSender() {
      const sender = startSender(deps)
      wake = sender.wake
      senders.push(sender)
    },
    async stop() {
      for (const sender of senders) await sender.stop()
      await database.drop()
    },
  }
}

let offset = 0

/** A message as the bus hands it over. */
export function taskMessage(
  accountId: string,
  taskId: string,
  kind: 'taskEnded' | 'taskInReview',
  status = 'completed',
): Incoming<TasksEvent> {
  const videoTask = JSON.stringify({ id: taskId, status, model: 'alpha' })
  const at = timestampFromDate(new Date())
  const event = create(TasksEventSchema, { event: { case: kind, value: { taskId, accountId, videoTask, tags: { shot: '12' }, at } } })
  offset += 1
  const place = { topic: 'filmgate.tasks.v1', partition: 0, offset: String(offset), key: accountId }
  return { ...place, event, eventId: crypto.randomUUID(), traceparent: undefined, timestampMs: Date.now() }
}
