import { timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import { refuse } from './errors'

/** 401 unless the bearer is the simulator's one key. In `derive`, because it has to come before anything is read of the body. */
export const requireKey = (key: string) =>
  new Elysia({ name: 'require-key', seed: key }).derive({ as: 'scoped' }, function requireKey({ headers }) {
    const given = Buffer.from(headers.authorization?.match(/^Bearer (\S+)$/i)?.[1] ?? '')
    const wanted = Buffer.from(key)
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw refuse('unauthorized')
    return {}
  })
