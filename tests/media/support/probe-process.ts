import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { createObjectStore, type ObjectStore } from '@filmgate/kit/object-store'
import { servers, type TestDatabase, testDatabase, until } from '@filmgate/kit/testing'

const service = resolve(import.meta.dir, '../../../services/media-probe')

export type ProbeOptions = {
  prefix: string
  env?: Record<string, string>
  /** Put before the command: entering a namespace, for one. */
  wrap?: string[]
}

export type Probe = {
  pid(): number
  running(): boolean
  database: TestDatabase
  store: ObjectStore
  start(): Promise<void>
  kill(signal: NodeJS.Signals): Promise<void>
  /** One metric's readings, summed. */
  metric(name: string): Promise<number>
  metricsText(): Promise<string>
  /** Paths of everything in its work folder, of all its processes. */
  leftOnDisk(): Promise<string[]>
  log(): string
  stop(): Promise<void>
}

/** media-probe as its own process, with a database, a bucket and a work folder of its own, on a port of its own. */
export async function openProbe({ prefix, env = {}, wrap = [] }: ProbeOptions): Promise<Probe> {
  const database = await testDatabase(join(service, 'migrations'))
  const bucket = `${prefix}-inputs`
  await createBucket(bucket)
  const workFolder = await mkdtemp(join(tmpdir(), 'media-probe-'))
  const store = createObjectStore({ ...servers.s3, bucket })
  const lines: string[] = []
  let child: Bun.Subprocess<'ignore', 'pipe', 'pipe'> | undefined
  let base = ''

  async function start(): Promise<void> {
    const from = lines.length
    child = Bun.spawn([...wrap, process.execPath, 'src/main.ts'], {
      cwd: service,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: {
        PATH: process.env.PATH ?? '',
        PORT: '0',
        LOG_LEVEL: 'info',
        DATABASE_URL: database.url,
        KAFKA_BROKERS: servers.kafkaBrokers.join(','),
        FILMGATE_TOPIC_PREFIX: prefix,
        FILMGATE_OPERATOR_TOKEN: 'a-token-of-the-test-operators',
        S3_ENDPOINT: servers.s3.endpoint,
        S3_ACCESS_KEY_ID: servers.s3.accessKeyId,
        S3_SECRET_ACCESS_KEY: servers.s3.secretAccessKey,
        S3_INPUTS_BUCKET: bucket,
        FILMGATE_WORK_FOLDER: workFolder,
        FILMGATE_DRAIN_MS: '0',
        ...env,
      },
    })
    void collect(child.stdout, lines)
    void collect(child.stderr, lines)
    const line = await until('media-probe to listen', () => lines.slice(from).find(text => text.includes('"listening"')), 60_000)
    base = `http://127.0.0.1:${JSON.parse(line).port}`
    if (wrap.length === 0)
      await until(
        'media-probe to be ready',
        () =>
          fetch(`${base}/readyz`).then(
            answer => answer.ok,
            () => false,
          ),
        30_000,
      )
    else await until('media-probe to be idle', () => lines.slice(from).length > 0, 5_000)
  }

  async function kill(signal: NodeJS.Signals): Promise<void> {
    child?.kill(signal)
    await child?.exited
  }

  const metricsText = () => fetch(`${base}/metrics`).then(answer => answer.text())
  return {
    pid: () => child?.pid ?? 0,
    running: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    database,
    store,
    start,
    kill,
    metricsText,
    async metric(name) {
      const readings = (await metricsText()).split('\n').filter(text => text.startsWith(`${name}{`) || text.startsWith(`${name} `))
      return readings.reduce((sum, text) => sum + Number(text.split(' ').at(-1)), 0)
    },
    leftOnDisk: async () => (await readdir(workFolder, { recursive: true })).filter(path => path.includes('/')),
    log: () => lines.join('\n'),
    async stop() {
      await kill('SIGTERM')
      await rm(workFolder, { recursive: true, force: true })
      await database.drop()
    },
  }
}

async function collect(stream: ReadableStream<Uint8Array>, lines: string[]): Promise<void> {
  let rest = ''
  for await (const chunk of stream) {
    const parts = (rest + Buffer.from(chunk).toString()).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  }
}

async function createBucket(Bucket: string): Promise<void> {
  const { endpoint, region, ...credentials } = servers.s3
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket }))
  client.destroy()
}

/** A failed run is explained by what the service said. */
export async function keepLog(prefix: string, log: string): Promise<void> {
  const folder = resolve(import.meta.dir, '../../../.local/reports/logs')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, `${prefix.replace(/-[^-]*$/, '')}.log`), log)
}
