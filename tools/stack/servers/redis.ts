import type { Instance } from '../instance'
import type { Plan } from '../process/plan'
import { portOpen } from '../process/probe'

/** Redis stores nothing on disk: wake-ups and recent rate limits are worthless after a restart. */
export function redisPlan({ dir, ports }: Instance, binary: string): Plan {
  return {
    name: 'redis',
    kind: 'server',
    port: ports.redis,
    command: [binary, '--port', String(ports.redis), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', dir],
    cwd: dir,
    ready: () => portOpen(ports.redis),
    readyTimeoutMs: 120_000,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5000,
  }
}
