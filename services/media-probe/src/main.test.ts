import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createOutbox } from '@filmgate/kit/outbox/outbox'
import { servers, testDatabase, testLog, until } from '@filmgate/kit/testing'
import { reserved, testOrder } from './testing/orders'
import { findDecisions } from './verification/decision-repository'
import { receive } from './verification/receive'

/** The worker looks for orders once a second. */
const lookedThriceMs = 3_000
const folders: string[] = []
afterAll(() => Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true }))))

async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), name))
  folders.push(folder)
  return folder
}

const environment = (databaseUrl: string, folder: string) => ({
  PATH: process.env.PATH ?? '',
  PORT: '0',
  DATABASE_URL: databaseUrl,
  FILMGATE_OPERATOR_TOKEN: 'a-token-of-the-test-operators',
  KAFKA_BROKERS: servers.kafkaBrokers.join(','),
  FILMGATE_TOPIC_PREFIX: `test-${crypto.randomUUID().slice(0, 8)}`,
  S3_ENDPOINT: servers.s3.endpoint,
  S3_ACCESS_KEY_ID: servers.s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: servers.s3.secretAccessKey,
  S3_INPUTS_BUCKET: 'filmgate-inputs',
  FILMGATE_WORK_FOLDER: folder,
  // It would sweep another instance's objects, so it never gets that far.
  FILMGATE_SWEEP_EVERY_SECONDS: '86400',
  FILMGATE_ORPHAN_AGE_SECONDS: '864000',
  FILMGATE_DRAIN_MS: '0',
})

/** The service as a process, once it listens. */
async function startService(env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'main.ts')], { env, stdout: 'pipe', stderr: 'inherit' })
  let output = ''
  void child.stdout.pipeTo(
    new WritableStream({
      write(chunk) {
        output += Buffer.from(chunk).toString()
      },
    }),
  )
  return { child, port: await until('it to listen', () => /"port":(\d+)/.exec(output)?.[1]) }
}

test('the service starts, reports its tools, and stops on a signal', async () => {
  const database = await testDatabase(join(import.meta.dir, '../migrations'))
  const folder = await temporaryFolder('media-probe-main-')
  const { child, port } = await startService(environment(database.url, folder))
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(metrics).toMatch(/probe_info\{ffprobe_version="\d[^"]*",ffmpeg_version="\d[^"]*",isolation="(landlock|seccomp)"\} 1/)
  expect(metrics).toContain('probe_tasks_open 0')
  const ask = (method: string, path: string, authorization: string) =>
    fetch(`http://127.0.0.1:${port}/operator/tasks/none${path}`, { method, headers: { authorization, 'x-filmgate-operator': 'ada' } }).then(
      answer => answer.status,
    )
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/replay'],
  ] as const)
    expect([await ask(method, path, 'Bearer wrong'), await ask(method, path, 'Bearer a-token-of-the-test-operators')]).toEqual([401, 404])
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
  await database.drop()
})

test('in recovery mode an order whose admission is over is not decided, because its decision may come back; afterwards it is', async () => {
  const database = await testDatabase(join(import.meta.dir, '../migrations'))
  const { sql } = database
  const folder = await temporaryFolder('media-probe-recovery-')
  const order = testOrder({ admitBy: timestampFromDate(new Date(0)) })
  const outbox = createOutbox({ sql, bus: { publish: async () => {} }, log: testLog })
  await receive({ sql, outbox, topicPrefix: 'test', wake: () => undefined }, [reserved(order)])
  const decided = async () => (await findDecisions(sql, [order.taskId])).length
  const run = async (recovery: string, look: () => Promise<unknown>) => {
    const { child } = await startService({ ...environment(database.url, folder), FILMGATE_RECOVERY: recovery })
    await look()
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  }
  await run('true', () => Bun.sleep(lookedThriceMs))
  expect(await decided()).toBe(0)
  await run('false', () => until('the decision', async () => (await decided()) === 1))
  await outbox.stop()
  await database.drop()
})

test('a release build refuses to start with a permitted private host', async () => {
  const folder = await temporaryFolder('media-probe-release-')
  const built = Bun.spawn(
    [
      process.execPath,
      'build',
      '--target=bun',
      '--define',
      'FILMGATE_RELEASE_BUILD=true',
      `--outdir=${folder}`,
      join(import.meta.dir, 'main.ts'),
    ],
    { stdout: 'ignore', stderr: 'inherit' },
  )
  expect(await built.exited).toBe(0)
  const env = { ...environment('postgres://nobody@127.0.0.1/none', folder), FILMGATE_SAMPLE_MEDIA_ORIGIN: 'https://localhost:4125' }
  const child = Bun.spawn([process.execPath, join(folder, 'main.js')], { env, stdout: 'ignore', stderr: 'pipe' })
  expect([await child.exited, await child.stderr.text()]).toEqual([
    78,
    expect.stringContaining('FILMGATE_SAMPLE_MEDIA_ORIGIN is a development setting and this is a release build'),
  ])
})
