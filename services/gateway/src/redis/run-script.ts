import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'

export type RunScript = (keys: string[], args: (string | number)[]) => Promise<unknown>

/** Runs a script of Redis by its digest, and sends its text where this Redis doesn't know it yet. */
export function createRunScript(redis: Redis, lua: string): RunScript {
  const sha = createHash('sha1').update(lua).digest('hex')
  return async (keys, args) => {
    try {
      return await redis.evalsha(sha, keys.length, ...keys, ...args)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return redis.eval(lua, keys.length, ...keys, ...args)
    }
  }
}
