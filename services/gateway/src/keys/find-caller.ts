import { timingSafeEqual } from 'node:crypto'
import type { Sql } from '@filmgate/kit/database/postgres'
import { parseRange, type Range } from '@filmgate/kit/safe-fetch/range'
import type { Log } from '@filmgate/kit/telemetry/log'
import { createBatchedRead } from '../database/batched-read'
import { hashKey, keyIdOf } from './api-key'
import { formerSecrets } from './former-secrets'
import { findKeys, type StoredKey, touchKeys } from './key-repository'

/**
 * `models`, `addresses`: what the key is bound to, if it is. `requestLimit`: requests a minute of each key of its account, where that has a
 * limit of its own.
 */
export type Caller = {
  accountId: string
  keyId: string
  models?: readonly string[] | null
  addresses?: readonly Range[] | null
  requestLimit?: number
}
/** Called before a key is looked up that isn't known to be one of ours; may refuse. What it returns is called unless there is no such key. */
export type PayForLookUp = () => () => void
export type FindCaller = (key: string, pay?: PayForLookUp) => Promise<Caller | undefined>

/** A revoked key must stop within 5 s everywhere, so that it is remembered for less. */
const rememberedMs = 3_000
const rememberedMax = 20_000
const touchEveryMs = 60_000

type Remembered = { caller: Caller; until: number }

/**
 * Who holds this key, or undefined. A malformed key is not looked for; reads of one moment share a statement. A key that worked before is read
 * again for nothing, so that a flood of others from its address doesn't keep it out.
 */
export function createFindCaller({
  sql,
  pepper,
  log,
  now = Date.now,
}: {
  sql: Sql
  pepper: string
  log: Log
  now?: () => number
}): FindCaller {
  /** Keys that worked when they were last read, and those that didn't, each until when that is believed. */
  const working = new Map<string, Remembered>()
  const wrong = new Map<string, number>()
  /** Requests of one moment with one key share its look-up and pay once. */
  const looking = new Map<string, Promise<Caller | undefined>>()
  const touchedAt = new Map<string, number>()
  const load = createBatchedRead<string, StoredKey | undefined>(async ids => {
    const found = new Map((await findKeys(sql, [...new Set(ids)])).map(key => [key.id, key]))
    return ids.map(id => found.get(id))
  })

  function touch(keyId: string) {
    if (now() - (touchedAt.get(keyId) ?? 0) < touchEveryMs) return
    if (touchedAt.size > rememberedMax) touchedAt.clear()
    touchedAt.set(keyId, now())
    void touchKeys(sql, [keyId]).catch(error => log.warn({ err: error }, 'last use of an API key not stored'))
  }

  async function lookUp(key: string, keyId: string): Promise<Caller | undefined> {
    const stored = await load(keyId)
    const at = now()
    const worksUntil = stored ? worksUntilMs(stored, hashKey(key, pepper)) : 0
    if (!stored || worksUntil <= at) {
      working.delete(key)
      remember(wrong, key, at + rememberedMs)
      return undefined
    }
    const { accountId, models, requestLimit } = stored
    const addresses = stored.addresses?.map(parseRange) ?? null
    const caller = { accountId, keyId, models, addresses, ...(requestLimit !== null && { requestLimit }) }
    remember(working, key, { caller, until: Math.min(at + rememberedMs, worksUntil) })
    touch(keyId)
    return caller
  }

  return async (key, pay) => {
    const known = working.get(key)
    if (known && known.until > now()) return known.caller
    const keyId = keyIdOf(key)
    if (!keyId || (wrong.get(key) ?? 0) > now()) return undefined
    const under = looking.get(key)
    if (under) return under
    let giveBack: (() => void) | undefined
    try {
      giveBack = known ? undefined : pay?.()
    } catch (error) {
      if (looking.size === 0) throw error
      // Tokens of valid keys come back once these are read. Once only: others' reads never end.
      await Promise.allSettled(looking.values())
      const meanwhile = looking.get(key)
      if (meanwhile) return meanwhile
      giveBack = pay?.()
    }
    const found = lookUp(key, keyId).finally(() => looking.delete(key))
    looking.set(key, found)
    try {
      const caller = await found
      if (caller) giveBack?.()
      return caller
    } catch (error) {
      giveBack?.()
      throw error
    }
  }
}

function remember<T>(into: Map<string, T>, key: string, what: T): void {
  if (into.size >= rememberedMax && !into.has(key)) into.clear()
  into.set(key, what)
}

/** When the secret ends: with its key, and a former one at its own time. 0 for a secret that the key never had. */
function worksUntilMs(key: StoredKey, hash: Buffer): number {
  if (key.revokedAt) return 0
  const keyUntil = key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (timingSafeEqual(key.secretHash, hash)) return keyUntil
  const ends = formerSecrets(key).map(former => (timingSafeEqual(former.hash, hash) ? former.until.getTime() : 0))
  return Math.min(keyUntil, Math.max(0, ...ends))
}
