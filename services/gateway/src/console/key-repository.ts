import type { Sql } from '@filmgate/kit/database/postgres'
import type { ListedKey } from '../keys/key-repository'

export type ConsoleKey = ListedKey & { createdBy: string | null; rotatedAt: Date | null }

/** An account's keys, newest first, with who made each; null for the first key of an account that an operator opened. */
export const listConsoleKeys = (sql: Sql, accountId: string) =>
  sql<ConsoleKey[]>`
    select key.id, key.name, key.created_at as "createdAt", key.expires_at as "expiresAt", key.revoked_at as "revokedAt", key.last_used_at as "lastUsedAt",
           made.operator as "createdBy", rotated.at as "rotatedAt"
    from api_key as key
    left join lateral (select operator from operator_act where subject = key.id and act = 'key_created' order by id limit 1) as made on true
    left join lateral (select at from operator_act where subject = key.id and act = 'key_rotated' order by id desc limit 1) as rotated on true
    where key.account_id = ${accountId} order by key.created_at desc, key.id`
