import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@filmgate/kit/testing'
import { Redis } from 'ioredis'

/** A Redis server of a test's own, to be killed, stalled and promoted. */
export type OwnRedis = {
  url: string
  port: number
  call(...command: string[]): Promise<unknown>
  signal(name: NodeJS.Signals): void
  kill(): Promise<void>
}

/** The program that the Redis at `url` runs. */
export async function redisProgram(url: string): Promise<string> {
  const redis = new Redis(url)
  const program = /^executable:(.+?)\r?$/m.exec(await redis.info('server'))?.[1]
  redis.disconnect()
  if (!program) throw new Error('Redis does not name its program')
  return program
}

/** Starts an empty one, or a replica of another; returns once it answers and is in step. */
export async function startRedis(program: string, { port, replicaOf }: { port?: number; replicaOf?: OwnRedis } = {}): Promise<OwnRedis> {
  const listensOn = port ?? (await freePort())
  const dir = mkdtempSync(join(tmpdir(), 'filmgate-redis-'))
  const settings = `--bind 127.0.0.1 --port ${listensOn} --appendonly no --repl-diskless-sync-delay 0 --dir ${dir}`.split(' ')
  const following = replicaOf ? ['--replicaof', '127.0.0.1', String(replicaOf.port)] : []
  const child = Bun.spawn([program, ...settings, '--save', '', ...following], { stdout: 'ignore', stderr: 'ignore' })
  const url = `redis://127.0.0.1:${listensOn}`
  async function call(...[command = '', ...words]: string[]): Promise<unknown> {
    const redis = new Redis(url, { retryStrategy: null, maxRetriesPerRequest: 0, commandTimeout: 2_000 })
    redis.on('error', () => {})
    return redis.call(command, ...words).finally(() => redis.disconnect())
  }
  await until('Redis answers', async () => {
    const role = await call('ROLE').catch(() => undefined)
    return Array.isArray(role) && (!replicaOf || role[3] === 'connected')
  })
  return {
    url,
    port: listensOn,
    call,
    signal: name => child.kill(name),
    async kill() {
      child.kill('SIGKILL')
      await child.exited
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
  })
  return promise
}
