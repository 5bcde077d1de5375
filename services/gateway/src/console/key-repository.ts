import type { Sql } from '@filmgate/kit/database/postgres'
import type { ListedKey } from '../keys/key-repository'

export type ConsoleKey = ListedKey & { createdBy: string | null; rotatedAt: Date | null }

/** Ended ones are there to be looked back at; without a bound every page of the account would read all that ever were. */
const endedMax = 50

/**
 * An account's keys, newest first, with who made each; null for the first key of an account that an operator opened. All that work, and of those
 * that ended the latest.
 */
export const listConsoleKeys = (sql: Sql, accountId: string) =>
  sql<ConsoleKey[]>`
    with listed as (
      select id from api_key where account_id = ${accountId} and revoked_at is null and (expires_at is null or expires_at > now())
      union all
      (select id from api_key where account_id = ${accountId} and (revoked_at is not null or expires_at <= now())
       order by least(revoked_at, expires_at) desc, id limit ${endedMax}))
    select key.id, key.name, key.created_at as "createdAt", key.expires_at as "expiresAt", key.revoked_at as "revokedAt", key.last_used_at as "lastUsedAt",
           made.operator as "createdBy", rotated.at as "rotatedAt"
    from listed join api_key as key on key.id = listed.id
    left join lateral (select operator from operator_act where subject = key.id and act = 'key_created' order by id limit 1) as made on true
    left join lateral (select at from operator_act where subject = key.id and act = 'key_rotated' order by id desc limit 1) as rotated on true
    order by key.created_at desc, key.id`
