import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@filmgate/kit/testing'
import { Redis } from 'ioredis'

/** A Redis server of a test's own, to be killed, stalled and promoted. */
export type OwnRedis = { url: string; port: number; pid: number; say(...words: string[]): Promise<unknown>; kill(): Promise<void> }

/** The program that the Redis at `url` runs. */
export async function redisProgram(url: string): Promise<string> {
  const redis = new Redis(url)
  const program = /^executable:(.+?)\r?$/m.exec(await redis.info('server'))?.[1]
  redis.disconnect()
  if (!program) throw new Error('Redis does not name its program')
  return program
}

export async function startRedis(program: string, { port, of }: { port?: number; of?: OwnRedis } = {}): Promise<OwnRedis> {
  const listensOn = port ?? (await freePort())
  const dir = mkdtempSync(join(tmpdir(), 'filmgate-redis-'))
  const following = of ? ['--replicaof', '127.0.0.1', String(of.port), '--repl-diskless-sync-delay', '0'] : []
  const settings = [
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    dir,
    '--repl-diskless-sync-delay',
    '0',
    ...following,
  ]
  const child = Bun.spawn([program, '--port', String(listensOn), ...settings], { stdout: 'ignore', stderr: 'ignore' })
  const url = `redis://127.0.0.1:${listensOn}`
  const say = async (...words: string[]) => {
    const [command = '', ...rest] = words
    const redis = new Redis(url, { retryStrategy: null, maxRetriesPerRequest: 0, commandTimeout: 2_000 })
    redis.on('error', () => {})
    return redis.call(command, ...rest).finally(() => redis.disconnect())
  }
  const ready = async () => {
    const role = await say('ROLE').catch(() => undefined)
    return Array.isArray(role) && (!of || role[3] === 'connected')
  }
  await until('Redis answers', ready)
  return {
    url,
    port: listensOn,
    pid: child.pid,
    say,
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
