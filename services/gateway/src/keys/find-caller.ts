import { timingSafeEqual } from 'node:crypto'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { createBatchedRead } from '../database/batched-read'
import { hashKey, keyIdOf } from './api-key'
import { formerSecrets } from './former-secrets'
import { findKeys, type StoredKey, touchKeys } from './key-repository'

export type Caller = { accountId: string; keyId: string }
export type FindCaller = (key: string) => Promise<Caller | undefined>

/** A revoked key must stop within 5 s everywhere, so that it is remembered for less. */
const rememberedMs = 3_000
const rememberedMax = 20_000
const touchEveryMs = 60_000

type Remembered = { caller: Caller | undefined; until: number }

/** Who holds this key, or undefined. A malformed key is not looked for; reads of one moment share a statement. */
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

  return async key => {
    const known = remembered.get(key)
    if (known && known.until > now()) return known.caller
    const keyId = keyIdOf(key)
    if (!keyId) return undefined
    const stored = await load(keyId)
    const at = now()
    const worksUntil = stored ? worksUntilMs(stored, hashKey(key, pepper)) : 0
    const caller = stored && worksUntil > at ? { accountId: stored.accountId, keyId } : undefined
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(key, { caller, until: Math.min(at + rememberedMs, caller ? worksUntil : Number.POSITIVE_INFINITY) })
    if (caller) touch(keyId)
    return caller
  }
}

/** When the secret ends: with its key, and a former one at its own time. 0 for a secret that the key never had. */
function worksUntilMs(key: StoredKey, hash: Buffer): number {
  if (key.revokedAt) return 0
  const keyUntil = key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
  if (timingSafeEqual(key.secretHash, hash)) return keyUntil
  const ends = formerSecrets(key).map(former => (timingSafeEqual(former.hash, hash) ? former.until.getTime() : 0))
  return Math.min(keyUntil, Math.max(0, ...ends))
}
