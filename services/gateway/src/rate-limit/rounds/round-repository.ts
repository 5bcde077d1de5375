import type { Sql } from '@filmgate/kit/database/postgres'
import type { RequestAges } from '../token'

/** `leaseLeftMs`: how long its lease still holds; below 0 how long it has been over. */
export type SeenReplica = { id: string; round: number; sees: string | null; left: boolean; leaseLeftMs: number }
export type SeenRound = { round: number; name: string; store: string | null; members: string[]; mine: boolean; replicas: SeenReplica[] }

/** Extends a replica's lease and reads the round, with every replica that may have let something through in the last window. */
export async function beat(
  sql: Sql,
  { id, leaseMs, sees, windowMs }: { id: string; leaseMs: number; sees: string | undefined; windowMs: number },
) {
  const [row] = await sql<SeenRound[]>`
    with mine as (
      update rate_limit_replica set lease_until = clock_timestamp() + ${leaseMs} * interval '1 ms', sees = ${sees ?? null}
      where id = ${id} and left_at is null returning id)
    select round, name, store, members, exists (select from mine) as mine, coalesce((
      select json_agg(json_build_object(
        'id', id, 'round', round, 'sees', sees, 'left', left_at is not null,
        'leaseLeftMs', extract(epoch from lease_until - clock_timestamp()) * 1000))
      from rate_limit_replica where lease_until > clock_timestamp() - ${windowMs} * interval '1 ms'), '[]') as replicas
    from rate_limit_round`
  if (!row) throw new Error('rate_limit_round has no row')
  return row
}

/** Makes the replica known, in step with the opening of rounds: a round opened after this counts it. */
export async function register(sql: Sql, { id, leaseMs }: { id: string; leaseMs: number }): Promise<void> {
  await sql.begin(async sql => {
    await sql`select round from rate_limit_round for share`
    await sql`delete from rate_limit_replica where lease_until < clock_timestamp() - interval '1 hour'`
    await sql`
      insert into rate_limit_replica (id, round, lease_until) values (${id}, -1, clock_timestamp() + ${leaseMs} * interval '1 ms')
      on conflict (id) do update set lease_until = excluded.lease_until, left_at = null`
  })
}

/** Opens the round after `after`, unless somebody has; all who may have let something through in the last window have to enter it. */
export async function openRound(
  sql: Sql,
  { after, store, windowMs }: { after: number; store: string | null; windowMs: number },
): Promise<void> {
  await sql.begin(async sql => {
    const [current] = await sql<{ round: number }[]>`select round from rate_limit_round for update`
    if (current?.round !== after) return
    await sql`
      update rate_limit_round set round = round + 1, name = gen_random_uuid()::text, store = ${store}, members = coalesce((
        select array_agg(id order by id) from rate_limit_replica
        where left_at is null and lease_until > clock_timestamp() - ${windowMs} * interval '1 ms'), '{}')`
  })
}

export async function enterRound(
  sql: Sql,
  { id, round, ages }: { id: string; round: number; ages: RequestAges | undefined },
): Promise<void> {
  if (!ages) await sql`update rate_limit_replica set round = ${round} where id = ${id}`
  else await sql`update rate_limit_replica set round = ${round}, told = ${sql.json(ages)}, told_at = clock_timestamp() where id = ${id}`
}

export async function leave(sql: Sql, { id, ages }: { id: string; ages: RequestAges }): Promise<void> {
  await sql`
    update rate_limit_replica set left_at = clock_timestamp(), lease_until = clock_timestamp(), told = ${sql.json(ages)}, told_at = clock_timestamp()
    where id = ${id}`
}

/** What every replica last wrote of its requests, `agoMs` ago, where that is within the last window. */
export const readAges = (sql: Sql, windowMs: number) =>
  sql<{ ages: RequestAges; agoMs: number }[]>`
    select told as ages, extract(epoch from clock_timestamp() - told_at)::float8 * 1000 as "agoMs" from rate_limit_replica
    where told_at > clock_timestamp() - ${windowMs} * interval '1 ms'`
