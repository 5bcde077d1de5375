import type { Fragment, Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { KeyBindings } from './bindings/read-bindings'

export type StoredKey = KeyBindings & {
  id: string
  accountId: string
  secretHash: Buffer
  /** Of the pepper that `secretHash` is made with; null where it is not known. */
  pepperMark: string | null
  previousHash: Buffer | null
  previousUntil: Date | null
  /** The secrets before the previous one, as JSON: the hash in hexadecimal digits. */
  former: { hash: string; until: string }[]
  expiresAt: Date | null
  revokedAt: Date | null
  /** Of its account. */
  requestLimit: number | null
}
/** A secret that its key had before, and until when it works. */
export type FormerSecret = { hash: Buffer; until: Date }
export type ListedKey = KeyBindings & {
  accountId: string
  id: string
  name: string
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
  rotatedAt: Date | null
  /** Null where nobody was named when it was made. */
  createdBy: string | null
}
export type NewKey = Partial<KeyBindings> & {
  id: string
  accountId: string
  name: string
  secretHash: Buffer
  pepperMark: string
  expiresAt: Date | null
}

const columns = (sql: Sql | TransactionSql): Fragment => sql`
  id, account_id as "accountId", secret_hash as "secretHash", pepper_mark as "pepperMark", previous_hash as "previousHash", previous_until as "previousUntil",
  former_secrets as former, expires_at as "expiresAt", revoked_at as "revokedAt", models, addresses,
  (select requests_a_minute from account where account.id = api_key.account_id) as "requestLimit"`

export const findKeys = (sql: Sql, ids: string[]) => sql<StoredKey[]>`select ${columns(sql)} from api_key where id = any(${ids})`

export async function insertKey(sql: Sql | TransactionSql, key: NewKey): Promise<void> {
  await sql`
    insert into api_key (id, account_id, name, secret_hash, pepper_mark, expires_at, models, addresses)
    values (${key.id}, ${key.accountId}, ${key.name}, ${key.secretHash}, ${key.pepperMark}, ${key.expiresAt}, ${key.models ?? null}, ${key.addresses ?? null})`
}

/** Locks the account, so that two creations count each other's keys. Undefined where there is no such account. */
export async function countWorkingKeys(sql: TransactionSql, accountId: string): Promise<{ working: number; closed: boolean } | undefined> {
  const [account] = await sql<{ closed: boolean }[]>`select closed_at is not null as closed from account where id = ${accountId} for update`
  if (!account) return undefined
  const [row] = await sql<{ working: number }[]>`
    select count(*) as working from api_key where account_id = ${accountId} and revoked_at is null and (expires_at is null or expires_at > now())`
  return { working: row?.working ?? 0, closed: account.closed }
}

/** The keys of `listed`, each with who made it and when it was last rotated. */
const ofListed = (sql: Sql) => sql`
    select key.id, key.account_id as "accountId", key.name, key.created_at as "createdAt", key.expires_at as "expiresAt", key.revoked_at as "revokedAt", key.last_used_at as "lastUsedAt",
           key.models, key.addresses, rotated.at as "rotatedAt", made.operator as "createdBy"
    from listed join api_key as key on key.id = listed.id
    left join lateral (
      select operator from operator_act
      where subject = key.id and act = 'key_created'
         or account_id = key.account_id and act = 'account_opened' and at = key.created_at
      order by id limit 1
    ) as made on true
    left join lateral (select at from operator_act where subject = key.id and act = 'key_rotated' order by id desc limit 1) as rotated on true`

/** Ended ones are there to be looked back at; without a bound every page of the account would read all that ever were. */
const endedMax = 50

/**
 * An account's keys, oldest first: all that work, and of those that ended the latest. An account's first key is made in the transaction in
 * which an operator opens it.
 */
export const listKeys = (sql: Sql, accountId: string) =>
  sql<ListedKey[]>`
    with listed as (
      select id from api_key where account_id = ${accountId} and revoked_at is null and (expires_at is null or expires_at > now())
      union all
      (select id from api_key where account_id = ${accountId} and (revoked_at is not null or expires_at <= now())
       order by least(revoked_at, expires_at) desc, id limit ${endedMax}))
    ${ofListed(sql)} order by key.created_at, key.id`

export async function findListedKey(sql: Sql, keyId: string): Promise<ListedKey | undefined> {
  const [key] = await sql<ListedKey[]>`with listed as (select ${keyId}::text as id) ${ofListed(sql)}`
  return key
}

/** The key, of the account where one is named. */
export type NamedKey = { keyId: string; accountId?: string | undefined }

const isNamed = (sql: TransactionSql, { keyId, accountId }: NamedKey): Fragment =>
  sql`id = ${keyId} ${accountId === undefined ? sql`` : sql`and account_id = ${accountId}`}`

/** Returns the account's id; undefined where there is no such key. Revoking twice keeps the first time. */
export async function endKey(sql: TransactionSql, named: NamedKey): Promise<string | undefined> {
  const [key] = await sql<{ accountId: string }[]>`
    update api_key set revoked_at = coalesce(revoked_at, now()), previous_until = null, former_secrets = '[]'
    where ${isNamed(sql, named)} returning account_id as "accountId"`
  return key?.accountId
}

/** A key that is neither revoked nor past its time, locked: the second of two rotations reads what the first has written. */
export async function lockWorkingKey(sql: TransactionSql, named: NamedKey): Promise<StoredKey | undefined> {
  const [key] = await sql<StoredKey[]>`
    select ${columns(sql)} from api_key
    where ${isNamed(sql, named)} and revoked_at is null and (expires_at is null or expires_at > now()) for update`
  return key
}

/** The secret becomes the last former one, until `previousUntil`; `former` are those before it. */
export async function replaceSecret(
  sql: TransactionSql,
  id: string,
  {
    secretHash,
    pepperMark,
    previousUntil,
    former,
  }: { secretHash: Buffer; pepperMark: string; previousUntil: Date; former: FormerSecret[] },
): Promise<void> {
  const rows = former.map(({ hash, until }) => ({ hash: hash.toString('hex'), until: until.toISOString() }))
  await sql`
    update api_key set previous_hash = secret_hash, previous_until = ${previousUntil}, former_secrets = ${sql.json(rows)},
      secret_hash = ${secretHash}, pepper_mark = ${pepperMark}
    where id = ${id}`
}

export async function bindKey(sql: TransactionSql, id: string, { models, addresses }: KeyBindings): Promise<void> {
  await sql`update api_key set models = ${models}, addresses = ${addresses} where id = ${id}`
}

/** Ends all keys of an account; returns the ids of those that worked. */
export async function endKeys(sql: TransactionSql, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update api_key set revoked_at = now(), previous_until = null, former_secrets = '[]'
    where account_id = ${accountId} and revoked_at is null returning id`
  return rows.map(({ id }) => id)
}

/** Notes the use of a key. */
export async function touchKey(sql: Sql, id: string): Promise<void> {
  await sql`update api_key set last_used_at = now() where id = ${id}`
}

/** The same, and the secret that it was used with is hashed with another pepper; nothing where the key has another secret by now. */
export async function rehashKey(sql: Sql, id: string, to: { from: Buffer; secretHash: Buffer; pepperMark: string }): Promise<void> {
  await sql`
    update api_key set last_used_at = now(), secret_hash = ${to.secretHash}, pepper_mark = ${to.pepperMark}
    where id = ${id} and secret_hash = ${to.from}`
}

/** Keys that work and are not known to be hashed with the pepper of this mark. */
export async function countOtherPeppers(sql: Sql, pepperMark: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from api_key
    where pepper_mark is distinct from ${pepperMark} and revoked_at is null and (expires_at is null or expires_at > now())`
  return row?.count ?? 0
}
