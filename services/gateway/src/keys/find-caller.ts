import { timingSafeEqual } from 'node:crypto'
import type { Log } from '@filmgate/kit/log'
import type { Sql } from '@filmgate/kit/postgres'
import { createLookUp } from '../look-up'
import { hashKey, keyIdOf } from './api-key'
import { findKeys, type StoredKey, touchKeys } from './key-repository'

export type Caller = { accountId: string; keyId: string }
export type FindCaller = (key: string) => Promise<Caller | undefined>

/** A revoked key must stop within 5 s everywhere; a remembered one lives shorter than that. */
const rememberedMs = 3_000
const rememberedMax = 20_000
const touchEveryMs = 60_000

type Remembered = { caller: Caller | undefined; until: number }

/** Who holds this key, or undefined. A malformed key costs no look-up; look-ups of one moment share a statement. */
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
  const remembered = new Map<string, Remembered>()
  const touchedAt = new Map<string, number>()
  const load = createLookUp<string, StoredKey | undefined>(async ids => {
    const found = new Map((await findKeys(sql, [...new Set(ids)])).map(key => [key.id, key]))
    return ids.map(id => found.get(id))
  })

  function touch(keyId: string) {
    if (now() - (touchedAt.get(keyId) ?? 0) < touchEveryMs) return
    if (touchedAt.size > rememberedMax) touchedAt.clear()
    touchedAt.set(keyId, now())
    void touchKeys(sql, [keyId]).catch(error => log.warn({ err: error }, 'last use of a key not written'))
  }

  return async key => {
    const known = remembered.get(key)
    if (known && known.until > now()) return known.caller
    const keyId = keyIdOf(key)
    if (!keyId) return undefined
    const stored = await load(keyId)
    const caller = stored && works(stored, hashKey(key, pepper), new Date(now())) ? { accountId: stored.accountId, keyId } : undefined
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(key, { caller, until: now() + rememberedMs })
    if (caller) touch(keyId)
    return caller
  }
}

function works(key: StoredKey, hash: Buffer, at: Date): boolean {
  if (key.revokedAt || (key.expiresAt && key.expiresAt <= at)) return false
  if (timingSafeEqual(key.secretHash, hash)) return true
  return key.previousHash !== null && key.previousUntil !== null && key.previousUntil > at && timingSafeEqual(key.previousHash, hash)
}
