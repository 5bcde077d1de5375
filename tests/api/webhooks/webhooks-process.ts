import { join, resolve } from 'node:path'
import { servers, testDatabase, until } from '@filmgate/kit/testing'

const service = resolve(import.meta.dir, '../../../services/webhooks')
const token = 'a-token-of-the-test-of-webhooks'

/** The service as a process of its own, with a database of its own, which is killed and started again. */
export async function openWebhooks(prefix: string, own: Record<string, string>) {
  const database = await testDatabase(join(service, 'migrations'))
  let child: Bun.Subprocess | undefined
  let base = ''

  async function start(): Promise<void> {
    const process_ = Bun.spawn([process.execPath, 'src/main.ts'], {
      cwd: service,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
      env: {
        ...{ PATH: process.env.PATH ?? '', PORT: '0', LOG_LEVEL: 'info', FILMGATE_DRAIN_MS: '0', FILMGATE_HOST: '127.0.0.1' },
        ...{ DATABASE_URL: database.url, KAFKA_BROKERS: servers.kafkaBrokers.join(','), FILMGATE_TOPIC_PREFIX: prefix },
        ...{ FILMGATE_OPERATOR_TOKEN: 'a-token-of-the-test-operators', FILMGATE_WEBHOOKS_TOKEN: token },
        ...{ FILMGATE_WEBHOOKS_SECRET_KEY: 'a-key-of-the-test-of-webhooks-0123456789', ...own },
      },
    })
    child = process_
    let output = ''
    void process_.stdout.pipeTo(
      new WritableStream({
        write(chunk) {
          if (base === '') output += Buffer.from(chunk).toString()
        },
      }),
    )
    base = ''
    const port = await until('webhooks to listen', () => /"port":(\d+)/.exec(output)?.[1], 60_000)
    base = `http://127.0.0.1:${port}`
    await until(
      'webhooks to be ready',
      () =>
        fetch(`${base}/readyz`).then(
          answer => answer.ok,
          () => false,
        ),
      60_000,
    )
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    child?.kill(signal)
    await child?.exited
  }

  return {
    sql: database.sql,
    start,
    kill: () => end('SIGKILL'),
    async createEndpoint(accountId: string, url: string): Promise<{ id: string; secret: string }> {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(`${base}/accounts/${accountId}/endpoints`, { method: 'POST', headers, body: JSON.stringify({ url }) })
      if (answer.status !== 201) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as { id: string; secret: string }
    },
    async stop() {
      await end('SIGTERM')
      await database.drop()
    },
  }
}
export type Webhooks = Awaited<ReturnType<typeof openWebhooks>>
