import type { Sql, TransactionSql } from '@filmgate/kit/postgres'

export type StoredKey = {
  id: string
  accountId: string
  secretHash: Buffer
  previousHash: Buffer | null
  previousUntil: Date | null
  expiresAt: Date | null
  revokedAt: Date | null
}
export type ListedKey = {
  id: string
  name: string
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
}
export type NewKey = { id: string; accountId: string; name: string; secretHash: Buffer; expiresAt: Date | null }

export const findKeys = (sql: Sql, ids: string[]) =>
  sql<StoredKey[]>`
    select id, account_id as "accountId", secret_hash as "secretHash", previous_hash as "previousHash", previous_until as "previousUntil",
           expires_at as "expiresAt", revoked_at as "revokedAt"
    from api_key where id = any(${ids})`

export async function insertKey(sql: Sql | TransactionSql, key: NewKey): Promise<void> {
  await sql`insert into api_key (id, account_id, name, secret_hash, expires_at) values (${key.id}, ${key.accountId}, ${key.name}, ${key.secretHash}, ${key.expiresAt})`
}

/** Locks the account, so that two creations count each other's keys. Undefined where there is no such account. */
export async function countWorkingKeys(sql: TransactionSql, accountId: string): Promise<number | undefined> {
  const [account] = await sql`select id from account where id = ${accountId} for update`
  if (!account) return undefined
  const [row] = await sql<{ working: number }[]>`
    select count(*) as working from api_key where account_id = ${accountId} and revoked_at is null and (expires_at is null or expires_at > now())`
  return row?.working ?? 0
}

export const listKeys = (sql: Sql, accountId: string) =>
  sql<ListedKey[]>`
    select id, name, created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt"
    from api_key where account_id = ${accountId} order by created_at, id`

/** False where there is no such key. Revoking twice keeps the first time. */
export async function revokeKey(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`update api_key set revoked_at = coalesce(revoked_at, now()), previous_until = null where id = ${id} returning id`
  return rows.length > 0
}

/** False where there is no such key that works. */
export async function replaceSecret(sql: Sql, id: string, secretHash: Buffer, overlapSeconds: number): Promise<boolean> {
  const rows = await sql`
    update api_key set previous_hash = secret_hash, previous_until = now() + ${overlapSeconds} * interval '1 second', secret_hash = ${secretHash}
    where id = ${id} and revoked_at is null and (expires_at is null or expires_at > now()) returning id`
  return rows.length > 0
}

export async function touchKeys(sql: Sql, ids: string[]): Promise<void> {
  await sql`update api_key set last_used_at = now() where id = any(${ids})`
}
