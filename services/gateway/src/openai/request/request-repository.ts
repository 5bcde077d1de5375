import type { Sql } from '@filmgate/kit/database/postgres'

/** `count`: its x-stainless-retry-count. `arrivedMsAgo`: how long ago its head came, before its body and this statement. */
export type AlikeRequest = {
  id: string
  keyId: string
  fingerprint: Buffer
  idempotencyKey: string
  count: number
  arrivedMsAgo: number
}

/** From its last request on. */
const joinedMs = 900_000

/**
 * The Idempotency-Key of the request that this one repeats, or its own where it repeats none. It repeats the newest alike that no request
 * with its count has joined: the one with the count before it first. A first request that a retry has overtaken joins what that has opened.
 */
export const joinRequest = (sql: Sql, { id, keyId, fingerprint, idempotencyKey, count, arrivedMsAgo }: AlikeRequest): Promise<string> =>
  sql.begin(async sql => {
    // A lock of its own: what another replica writes meanwhile is seen by the statement after it.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`openai ${keyId} ${fingerprint.toString('hex')}`}, 0))`
    const [row] = await sql<[{ idempotencyKey: string }]>`
      with alike as (
        select id from openai_request
        where key_id = ${keyId} and fingerprint = ${fingerprint} and not ${count} = any(counts)
          and last_at > clock_timestamp() - ${joinedMs} * interval '1 millisecond'
          and (${count} > 0 or opened_at > clock_timestamp() - ${arrivedMsAgo} * interval '1 millisecond')
        order by ${count} - 1 = any(counts) desc, ${count} < any(counts), opened_at desc
        limit 1
      ), joined as (
        update openai_request set counts = counts || ${count}::int, last_at = clock_timestamp() from alike where openai_request.id = alike.id
        returning idempotency_key
      ), opened as (
        insert into openai_request (id, key_id, fingerprint, idempotency_key, counts, opened_at, last_at)
        select ${id}, ${keyId}, ${fingerprint}, ${idempotencyKey}, array[${count}::int], clock_timestamp(), clock_timestamp()
        where not exists (select from alike)
        returning idempotency_key
      )
      select idempotency_key as "idempotencyKey" from joined union all select idempotency_key from opened`
    return row.idempotencyKey
  })

export const deleteOldRequests = (sql: Sql) =>
  sql`delete from openai_request where last_at < now() - ${joinedMs} * interval '1 millisecond'`
