import type { Sql } from '@filmgate/kit/database/postgres'

/** Of an endpoint or of a callback, whose id is that of its task. */
export type SealedSecret = { id: string; secret: Uint8Array; formerSecret: Uint8Array | null }

/** Ids of endpoints come after those of tasks, so that one order has both. */
export const listSealed = (sql: Sql, after: string, limit: number) =>
  sql<SealedSecret[]>`
    (select task_id as id, secret, null::bytea as "formerSecret" from callback where task_id > ${after} and secret is not null
     order by task_id limit ${limit})
    union all
    (select id, secret, former_secret from endpoint where id > ${after} and deleted_at is null and not callbacks order by id limit ${limit})
    order by id limit ${limit}`

/** Wherever it stands: it may have become a former one meanwhile. */
export async function replaceSealed(sql: Sql, id: string, from: Uint8Array, to: Uint8Array): Promise<void> {
  await sql`
    with of_callback as (update callback set secret = ${to} where task_id = ${id} and secret = ${from})
    update endpoint set secret = case when secret = ${from} then ${to} else secret end,
      former_secret = case when former_secret = ${from} then ${to} else former_secret end
    where id = ${id} and (secret = ${from} or former_secret = ${from})`
}
