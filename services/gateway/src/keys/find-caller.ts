import { timingSafeEqual } from 'node:crypto'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { parseRange, type Range } from '@filmgate/kit/safe-fetch/range'
import type { Log } from '@filmgate/kit/telemetry/log'
import { createBatchedRead } from '../database/batched-read'
import { hashKey, keyIdOf, pepperMark } from './api-key'
import { formerSecrets } from './former-secrets'
import { findKeys, rehashKey, type StoredKey, touchKey } from './key-repository'

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
 * again for nothing, so that a flood of others from its address doesn't keep it out. One that is hashed with another pepper than the first is
 * hashed with that by its next use.
 */
export function createFindCaller({
  sql,
  peppers,
  log,
  now = Date.now,
}: {
  sql: Sql
  peppers: Secrets
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

  const current = pepperMark(peppers[0])

  function touch(stored: StoredKey, hashes: Buffer[]) {
    if (now() - (touchedAt.get(stored.id) ?? 0) < touchEveryMs) return
    if (touchedAt.size > rememberedMax) touchedAt.clear()
    touchedAt.set(stored.id, now())
    const [secretHash] = hashes
    const renewed = secretHash && stored.pepperMark !== current && isAmong(hashes, stored.secretHash)
    const from = stored.secretHash
    const touched = renewed ? rehashKey(sql, stored.id, { from, secretHash, pepperMark: current }) : touchKey(sql, stored.id)
    void touched.catch(error => log.warn({ err: error }, 'last use of an API key not stored'))
  }

  async function lookUp(key: string, keyId: string): Promise<Caller | undefined> {
    const stored = await load(keyId)
    const at = now()
    const hashes = peppers.map(pepper => hashKey(key, pepper))
    const worksUntil = stored ? worksUntilMs(stored, hashes) : 0
    if (!stored || worksUntil <= at) {
      working.delete(key)
      remember(wrong, key, at + rememberedMs)
      return undefined
    }
    const { accountId, models, requestLimit } = stored
    const addresses = stored.addresses?.map(parseRange) ?? null
    const caller = { accountId, keyId, models, addresses, ...(requestLimit !== null && { requestLimit }) }
    remember(working, key, { caller, until: Math.min(at + rememberedMs, worksUntil) })
    touch(stored, hashes)
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
function worksUntilMs(key: StoredKey, hashes: Buffer[]): number {
  if (key.revokedAt) return 0
  const keyUntil = key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (isAmong(hashes, key.secretHash)) return keyUntil
  const ends = formerSecrets(key).map(former => (isAmong(hashes, former.hash) ? former.until.getTime() : 0))
  return Math.min(keyUntil, Math.max(0, ...ends))
}

/** Each is compared, in a time that does not show where it differs. */
const isAmong = (hashes: Buffer[], stored: Buffer): boolean => hashes.filter(hash => timingSafeEqual(hash, stored)).length > 0
