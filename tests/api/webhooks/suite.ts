import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createBus } from '@filmgate/kit/bus/bus'
import { applyTopics } from '@filmgate/kit/bus/topics/topics'
import { servers, testLog, until } from '@filmgate/kit/testing'
import { startNameServer } from '@filmgate/kit/testing/name-server'
import { encode, topicName, topicPlan, topics } from '@filmgate/proto/topics'
import type { Report } from '../../support/suite/report'
import { startPythonVerifier } from './python-verifier'
import { type Kind, startReceiver } from './receiver'
import { openWebhooks, type Webhooks } from './webhooks-process'

/** FILMGATE_WEBHOOK_DELIVERIES: how many deliveries to endpoints of every kind. */
const deliveriesDefault = 100_000
const deadEndpoints = 1_000
const perAccount = 20
const pacedEvents = 300
const pacedEveryMs = 20
/** Below this, two p99 differ by what the machine does besides. */
const noiseMs = 250
const drainedWithinMs = 3_600_000

type Stage = {
  webhooks: Webhooks
  receiver: Awaited<ReturnType<typeof startReceiver>>
  publish(accountId: string, taskId: string, kind: 'taskEnded' | 'taskInReview'): Promise<void>
  createEndpoint(accountId: string, kind: Kind, name: string): Promise<void>
}

/** Deliveries to hostile endpoints: once at least, in order, signed, to no private address, and none for the good ones to wait for. */
export async function prove(report: Report): Promise<void> {
  const prefix = `webhooks-${crypto.randomUUID().slice(0, 8)}`
  await applyTopics({
    brokers: servers.kafkaBrokers,
    replicas: 1,
    plan: topicPlan(prefix, 4).filter(({ topic }) => topic.includes('tasks')),
  })
  const bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'webhooks-tests', log: testLog })
  const secrets = new Map<string, string>()
  const python = await startPythonVerifier()
  const receiver = await startReceiver(name => secrets.get(name), python)
  const names = await startNameServer(() => ({ address: '127.0.0.1' }))
  const webhooks = await openWebhooks(prefix, {
    FILMGATE_WEBHOOKS_PRIVATE_ORIGINS: receiver.origin,
    FILMGATE_NAME_SERVERS: names.address,
    FILMGATE_WEBHOOKS_ATTEMPT_TIMEOUT_MS: '3000',
    FILMGATE_WEBHOOKS_LEASE_MS: '8000',
    FILMGATE_WEBHOOKS_RETRY_FIRST_MS: '500',
  })
  await webhooks.start()
  const stage: Stage = {
    webhooks,
    receiver,
    async publish(accountId, taskId, kind) {
      const videoTask = JSON.stringify({ id: taskId, status: kind === 'taskEnded' ? 'completed' : 'processing' })
      const event = { case: kind, value: { accountId, taskId, videoTask, tags: {}, at: timestampFromDate(new Date()) } }
      const value = encode(topics.tasks.schema, { event })
      await bus.publish([{ topic: topicName(prefix, 'tasks'), key: accountId, value, eventId: crypto.randomUUID() }])
    },
    async createEndpoint(accountId, kind, name) {
      secrets.set(name, (await webhooks.createEndpoint(accountId, `${receiver.origin}/${kind}/${name}`)).secret)
    },
  }
  await provePace(report, stage)
  await proveDeliveries(report, stage)
  // Nothing comes any more: both libraries have seen the same requests.
  await webhooks.stop()
  const { verified, faults } = await python.finish()
  report.figure('webhooks.requests', receiver.counts.requests)
  report.check(
    'each signature is verified by the library in TypeScript',
    receiver.faults.length === 0,
    receiver.faults.slice(0, 5).join('; '),
  )
  report.check('each signature is verified by the library in Python', verified === receiver.counts.verified, faults.join('; '))
  report.check('no redirect was followed', receiver.counts.inwards === 0, `${receiver.counts.inwards} came`)
  await Promise.all([names.stop(), bus.stop()])
  receiver.stop()
}

/** The time of a good endpoint's deliveries, alone and beside a thousand dead endpoints that are all due. */
async function provePace(report: Report, stage: Stage): Promise<void> {
  await stage.createEndpoint('acct_paced', 'good', 'paced')
  await p99Of(stage, 'warm')
  const alone = await p99Of(stage, 'alone')
  for (let index = 0; index < deadEndpoints; index += 1)
    await stage.createEndpoint(`acct_dead_${Math.floor(index / perAccount)}`, 'dead', `dead-${index}`)
  for (let task = 0; task < 4; task += 1)
    for (let account = 0; account < deadEndpoints / perAccount; account += 1)
      await stage.publish(`acct_dead_${account}`, `vt_dead_${task}`, 'taskEnded')
  await until('dead ones to be in work', () => stage.receiver.counts.requests > 2 * pacedEvents + 250)
  const beside = await p99Of(stage, 'beside')
  report.figure('webhooks.p99Ms.alone', alone)
  report.figure('webhooks.p99Ms.besideDead', beside)
  report.check(
    'p99 beside a thousand dead endpoints is at most twice that without',
    beside <= Math.max(2 * alone, noiseMs),
    `${beside} ms, ${alone} ms`,
  )
}

async function p99Of({ receiver, publish }: Stage, name: string): Promise<number> {
  const publishedAt = new Map<string, number>()
  for (let index = 0; index < pacedEvents; index += 1) {
    const taskId = `vt_${name}_${index}`
    publishedAt.set(taskId, performance.now())
    void publish('acct_paced', taskId, 'taskEnded')
    await Bun.sleep(pacedEveryMs)
  }
  const arrivals = () => (receiver.arrivals.get('paced') ?? []).filter(({ taskId }) => publishedAt.has(taskId))
  await until(`the paced deliveries (${name})`, () => arrivals().length >= pacedEvents)
  const times = arrivals().map(({ taskId, atMs }) => atMs - (publishedAt.get(taskId) ?? 0))
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
}

const mixed = ['good', 'good', 'good', 'flapping', 'lying', 'slow', 'redirecting'] as const

/** Two events of each task to endpoints of every kind, the service killed in between. */
async function proveDeliveries(report: Report, stage: Stage): Promise<void> {
  const { webhooks, receiver, publish } = stage
  const count = Number(process.env.FILMGATE_WEBHOOK_DELIVERIES ?? deliveriesDefault)
  const accounts = Array.from({ length: 20 }, (_, index) => `acct_mixed_${index}`)
  for (const account of accounts)
    for (const [index, kind] of mixed.entries()) await stage.createEndpoint(account, kind, `${account}-${index}-${kind}`)
  const inwards = await webhooks.createEndpoint('acct_mixed_0', 'https://inwards.example.com/hook')
  const tasks = Math.ceil(count / (2 * mixed.length))
  const startedMs = performance.now()
  for (let task = 0; task < tasks; task += 1) {
    const account = accounts[task % accounts.length] ?? ''
    await publish(account, `vt_${task}`, 'taskInReview')
    await publish(account, `vt_${task}`, 'taskEnded')
    if (task === Math.floor(tasks / 2)) {
      await webhooks.kill()
      await webhooks.start()
    }
  }
  const expected = new Map(accounts.map((account, index) => [account, 2 * Math.ceil((tasks - index) / accounts.length)]))
  const takers = accounts.flatMap(account =>
    mixed.flatMap((kind, index) =>
      kind === 'redirecting' ? [] : [{ name: `${account}-${index}-${kind}`, due: expected.get(account) ?? 0 }],
    ),
  )
  const takenOf = (name: string) =>
    new Set((receiver.arrivals.get(name) ?? []).filter(({ taken }) => taken).map(({ taskId, type }) => `${taskId} ${type}`))
  const missing = () => takers.filter(({ name, due }) => takenOf(name).size < due)
  await until('every event to be taken', () => missing().length === 0, drainedWithinMs).catch(() => undefined)
  report.figure('webhooks.deliveries', tasks * 2 * mixed.length)
  report.figure('webhooks.deliveriesSeconds', (performance.now() - startedMs) / 1_000)
  const lost = missing().map(({ name, due }) => `${name}: ${takenOf(name).size} of ${due}`)
  report.check('each event is taken at least once, a kill -9 between', lost.length === 0, lost.join(', '))
  for (const { name } of takers) {
    const late = lateOf(receiver.arrivals.get(name) ?? [])
    report.check('events of a task come in order', late === undefined, `${name}: ${late}`)
  }
  const { rows, sent } = await attemptsOf(webhooks, inwards.id)
  report.check('a name that leads inwards gets no packet', rows > 0 && sent === 0, `${rows} attempts, ${sent} sent`)
}

/** A task of which something came after its end was taken; undefined where there is none. */
function lateOf(arrivals: { taskId: string; type: string; taken: boolean }[]): string | undefined {
  const ended = new Set<string>()
  for (const { taskId, type, taken } of arrivals) {
    if (type === 'task.in_review' && ended.has(taskId)) return taskId
    if (type === 'task.completed' && taken) ended.add(taskId)
  }
  return undefined
}

async function attemptsOf({ sql }: Webhooks, endpointId: string) {
  const [row] = await sql<{ rows: number; sent: number }[]>`
    select count(*) as rows, count(*) filter (where attempt ->> 'error' <> 'address_forbidden') as sent
    from delivery cross join lateral jsonb_array_elements(attempts) as attempt where endpoint_id = ${endpointId}`
  return row ?? { rows: 0, sent: 0 }
}
