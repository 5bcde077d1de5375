import { createHash } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { RequestAges, TokenAnswer } from '../token'
import readHistoryLua from './read-history.lua' with { type: 'text' }
import takeTokenLua from './take-token.lua' with { type: 'text' }
import tellLua from './tell.lua' with { type: 'text' }

const keysATellMax = 200

/** A round whose tokens are taken from Redis: the history of writes, the round's name, and how many replicas wrote to it. */
export type RedisRound = { name: string; store: string; tellers: number }

/** Thrown where the server that answers is not the Redis of the round. */
class OtherRedis extends Error {
  override name = 'OtherRedis'
}

/** The tokens in Redis. Each script checks, in the same step, that this is the Redis of the round and has lost nothing. */
export function createRedisStore(redis: Redis, { limit, windowMs }: { limit: number; windowMs: number }) {
  const take = script(redis, takeTokenLua)
  const tell = script(redis, tellLua)
  const watch = script(redis, readHistoryLua)
  const windowUs = windowMs * 1_000

  return {
    async take({ name, store, tellers }: RedisRound, key: string): Promise<TokenAnswer> {
      const [taken, left, waitUs] = (await take([bucketOf(name, key), tellersOf(name)], [limit, windowUs, store, tellers])) as [
        number,
        number,
        string,
      ]
      if (taken < 0) throw new OtherRedis('this Redis is not the one that was told')
      return { taken: taken === 1, left, waitMs: Number(waitUs) / 1_000 }
    },
    async tell({ name, store }: RedisRound, teller: string, ages: RequestAges): Promise<void> {
      const all = Object.entries(ages)
      const step = async (phase: 'begin' | 'more' | 'end', some: typeof all = []) => {
        const keys = [tellersOf(name), ...some.map(([key]) => bucketOf(name, key))]
        const done = await tell(keys, [store, teller, windowUs, phase, ...some.map(([, text]) => text)])
        if (done !== 1) throw new OtherRedis('this Redis became another while it was told')
      }
      await step('begin')
      for (let from = 0; from < all.length; from += keysATellMax) await step('more', all.slice(from, from + keysATellMax))
      await step('end')
    },
    /** The history of writes of the Redis that answers, or '' of a replica. */
    watch: async (name: string): Promise<string> => String(await watch([tellersOf(name)], [])),
  }
}
export type RedisStore = ReturnType<typeof createRedisStore>

const bucketOf = (name: string, key: string) => `limits:${name}:${key}`
const tellersOf = (name: string) => `limits:${name}:told`

function script(redis: Redis, text: string) {
  const sha = createHash('sha1').update(text).digest('hex')
  return async (keys: string[], args: (string | number)[]): Promise<unknown> => {
    try {
      return await redis.evalsha(sha, keys.length, ...keys, ...args)
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
      return redis.eval(text, keys.length, ...keys, ...args)
    }
  }
}
