import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { type Bus, createBus } from '@filmgate/kit/bus/bus'
import { migrate } from '@filmgate/kit/database/migrate'
import { connectPostgres, type Sql } from '@filmgate/kit/database/postgres'
import { servers, testLog, testTopics, until } from '@filmgate/kit/testing'
import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { Surface } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { Balance, RequestsEventSchema } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { decode, encode, topicName, topicPlan } from '@filmgate/proto/topics'
import { migrationsFolder } from './database/migrations-folder'

const prefix = `test-${randomUUID()}`
const name = `test_${randomUUID().replaceAll('-', '')}`
const databaseUrl = Object.assign(new URL(servers.postgresUrl), { pathname: `/${name}` }).href
const operatorToken = 'the-operator-token-of-this-test'
const running = new Set<ReturnType<typeof startLedger>>()
const decided: string[] = []
let admin: Sql
let bus: Bus
let topics: Awaited<ReturnType<typeof testTopics>>

beforeAll(async () => {
  admin = connectPostgres({ url: servers.postgresUrl, poolMax: 1, applicationName: 'test' })
  await admin.unsafe(`create database ${name}`)
  topics = await testTopics(topicPlan(prefix, 4))
  bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'test', log: testLog })
  bus.consume({
    group: `${prefix}.test`,
    topics: { [topicName(prefix, 'credits')]: bytes => decode(CreditsEventSchema, bytes).event },
    async handle(messages) {
      for (const { event } of messages) {
        if (event.case === 'creditsReserved') decided.push(event.value.order?.taskId ?? '')
        if (event.case === 'creditsDeclined') decided.push(event.value.taskId)
      }
    },
  })
})
afterAll(async () => {
  for (const one of running) one.process.kill('SIGKILL')
  await bus.stop()
  await topics.drop()
  await admin.unsafe(`drop database ${name} with (force)`)
  await admin.end()
})

function startLedger() {
  const process = Bun.spawn(['bun', join(import.meta.dir, 'main.ts')], {
    env: {
      ...Bun.env,
      PORT: '0',
      DATABASE_URL: databaseUrl,
      KAFKA_BROKERS: servers.kafkaBrokers.join(','),
      FILMGATE_TOPIC_PREFIX: prefix,
      FILMGATE_OPERATOR_TOKEN: operatorToken,
      FILMGATE_DRAIN_MS: '0',
      FILMGATE_UNFINISHED_TASKS_MAX: '1000',
      LOG_LEVEL: 'info',
    },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const port = Promise.withResolvers<number>()
  void (async () => {
    let text = ''
    for await (const chunk of process.stdout.pipeThrough(new TextDecoderStream())) {
      text = (text + chunk).slice(-10_000)
      const listening = /"port":(\d+),"msg":"listening"/.exec(text)
      if (listening) port.resolve(Number(listening[1]))
    }
  })()
  const started = { process, port: port.promise }
  running.add(started)
  void process.exited.then(() => running.delete(started))
  return started
}

const status = async ({ port }: ReturnType<typeof startLedger>, path: string) =>
  (await fetch(`http://127.0.0.1:${await port}${path}`).catch(() => undefined))?.status

const grantOf = (accountId: string, credits: bigint) => ({
  topic: topicName(prefix, 'requests'),
  key: accountId,
  eventId: randomUUID(),
  value: encode(RequestsEventSchema, {
    event: { case: 'creditsGranted', value: { grantId: accountId, accountId, balance: Balance.PAID, credits, reason: 'a test' } },
  }),
})

const requestOf = (accountId: string, taskId: string) => ({
  topic: topicName(prefix, 'requests'),
  key: accountId,
  eventId: randomUUID(),
  value: encode(RequestsEventSchema, {
    event: {
      case: 'generationRequested',
      value: {
        order: { taskId, accountId, surface: Surface.API, credits: 1n, priceVersion: 'p1', admitBy: timestampFromMs(Date.now() + 600_000) },
      },
    },
  }),
})

test('a ledger started before its tables is alive and not ready, and decides what waited once they are there', async () => {
  const account = randomUUID()
  await bus.publish([grantOf(account, 5n), requestOf(account, `${account}-1`)])
  const ledger = startLedger()
  expect(await status(ledger, '/healthz')).toBe(200)
  expect(await status(ledger, '/readyz')).toBe(503)
  await migrate({ url: databaseUrl, folder: migrationsFolder, log: testLog })
  await until('ready', async () => (await status(ledger, '/readyz')) === 200)
  await until('the decision', () => decided.includes(`${account}-1`))
  ledger.process.kill('SIGTERM')
  expect(await ledger.process.exited).toBe(0)
})

test('killed again and again while requests come, each is decided once and the auditor’s command finds nothing', async () => {
  await migrate({ url: databaseUrl, folder: migrationsFolder, log: testLog })
  const accounts = Array.from({ length: 20 }, () => randomUUID())
  await bus.publish(accounts.map(account => grantOf(account, 25n)))
  let ledger = startLedger()
  const tasks: string[] = []
  for (let round = 0; round < 3; round++) {
    const batch = accounts.flatMap(account => Array.from({ length: 10 }, (_, nth) => ({ account, taskId: `${account}-${round}-${nth}` })))
    tasks.push(...batch.map(({ taskId }) => taskId))
    const first = batch[0]?.taskId ?? ''
    const publishing = bus.publish(batch.map(({ account, taskId }) => requestOf(account, taskId)))
    if (round < 2) {
      await until('the first of the round', () => decided.includes(first), 30_000)
      ledger.process.kill('SIGKILL')
      ledger = startLedger()
    }
    await publishing
  }
  await until('all decided', () => new Set(decided).size >= tasks.length && tasks.every(task => decided.includes(task)), 60_000)
  const audit = Bun.spawn(['bun', join(import.meta.dir, 'audit.ts')], { env: { ...Bun.env, DATABASE_URL: databaseUrl }, stdout: 'pipe' })
  const result = JSON.parse(await audit.stdout.text())
  expect([result.findings, await audit.exited]).toEqual([[], 0])
  const sql = connectPostgres({ url: databaseUrl, poolMax: 1, applicationName: 'test' })
  const rows = await sql`select account.available, account.unfinished from account where id = any(${accounts})`
  // 30 asked for one credit each, 25 were there.
  expect(rows.map(row => ({ ...row }))).toEqual(accounts.map(() => ({ available: 0, unfinished: 25 })))
  await sql.end()
  ledger.process.kill('SIGTERM')
  await ledger.process.exited
}, 120_000)
