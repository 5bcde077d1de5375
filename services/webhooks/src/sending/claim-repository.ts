import type { Fragment, Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import { listWaiting } from './outcome-repository'

export type Claimed = {
  id: string
  endpointId: string
  epoch: number
  event: string
  body: string
  tries: number
  giveUpAt: Date
  url: string
  /** Null of a callback that is not signed. */
  secret: Uint8Array | null
  /** What it is encrypted for: its endpoint, or the task of a callback. */
  secretOf: string
  /** Undefined once its time to sign is over. */
  formerSecret: Uint8Array | null
}

/** Attempts to one endpoint at a moment, over all replicas: fewer while it is slow or fails. */
const promptMax = 8
const othersMax = 2

/** Endpoints that have attempts of their own: those that answer at once, those that are new or slow, and those that fail. */
export const lanes = ['prompt', 'working', 'failing'] as const
export type Lane = (typeof lanes)[number]

const inLane = (sql: TransactionSql): Record<Lane, Fragment> => ({
  prompt: sql`prompt`,
  working: sql`not prompt and failing_since is null`,
  failing: sql`not prompt and failing_since is not null`,
})

export type ClaimInput = { lane: Lane; retryForSeconds: number; leaseMs: number; limit: number }

/**
 * Takes up to `limit` due deliveries: endpoints take turns, and a delivery of a task waits for those before it. Whoever changes an
 * endpoint's deliveries holds its row, so a claim sees all of them or skips it.
 */
export const claimDeliveries = (sql: Sql, { lane, retryForSeconds, leaseMs, limit }: ClaimInput): Promise<Claimed[]> =>
  sql.begin(async sql => {
    const turns = await sql<{ id: string }[]>`
      select id from endpoint
      where ${inLane(sql)[lane]} and due_at <= now() and paused_at is null and deleted_at is null
      order by due_at limit ${limit} for no key update skip locked`
    if (turns.length === 0) return []
    const ids = turns.map(({ id }) => id)
    const claimed = await sql<Claimed[]>`
      with free as (
        select head.id, head.task_id, turn.id as endpoint_id, row_number() over (partition by turn.id order by head.due_at, head.seq) as place
        from unnest(${ids}::text[]) as turn (id) cross join lateral (
          select greatest(0, ${lane === 'prompt' ? promptMax : othersMax}::int - count(*)) as room from delivery where endpoint_id = turn.id and lease_until > now()
        ) work cross join lateral (
          select id, task_id, due_at, seq from delivery
          where endpoint_id = turn.id and status = 'pending' and due_at <= now() and not exists (
            select from delivery before
            where before.endpoint_id = turn.id and before.task_id = delivery.task_id and before.status = 'pending' and before.seq < delivery.seq)
          order by due_at, seq limit work.room
        ) head
        order by place limit ${limit}
      )
      update delivery set lease_until = now() + ${leaseMs} * interval '1 millisecond', due_at = now() + ${leaseMs} * interval '1 millisecond',
        epoch = epoch + 1
      from free join endpoint on endpoint.id = free.endpoint_id
        left join callback on callback.endpoint_id = free.endpoint_id and callback.task_id = free.task_id
      where delivery.id = free.id
      returning delivery.id, delivery.endpoint_id as "endpointId", epoch, event, body, tries, coalesce(callback.url, endpoint.url) as url,
        case when callback.task_id is null then nullif(endpoint.secret, ''::bytea) else callback.secret end as secret,
        coalesce(callback.task_id, endpoint.id) as "secretOf",
        greatest(give_up_at, resumed_at + ${retryForSeconds} * interval '1 second') as "giveUpAt",
        case when former_secret_until > now() then former_secret end as "formerSecret"`
    const waiting = await listWaiting(
      sql,
      claimed.map(({ id }) => id),
    )
    if (waiting.length > 0)
      await sql`update delivery set due_at = now() + ${leaseMs} * interval '1 millisecond' where id = any(${waiting}::text[])`
    await refreshDue(sql, ids)
    return [...claimed]
  }) as Promise<Claimed[]>

/** Sets when each endpoint is to be looked at next: at its first pending delivery, but not while it has all the attempts it may have. */
export const refreshDue = (sql: TransactionSql, endpointIds: string[]) => sql`
  update endpoint set due_at = case when attempts >= case when prompt then ${promptMax}::int else ${othersMax} end
    then greatest(first_due_at, first_lease_until) else first_due_at end
  from unnest(${endpointIds}::text[]) as one (id)
    cross join lateral (
      select count(*) as attempts, min(lease_until) as first_lease_until from delivery
      where endpoint_id = one.id and lease_until > now()
    ) leased
    left join lateral (
      select greatest(delivery.due_at, now()) as first_due_at from delivery
      where endpoint_id = one.id and status = 'pending' order by delivery.due_at limit 1
    ) pending on true
  where endpoint.id = one.id`

/** Gives up leases held at these epochs: the deliveries are due at once. */
export const releaseDeliveries = (sql: Sql, claimed: Claimed[]): Promise<void> =>
  sql.begin(async sql => {
    const endpointIds = claimed.map(({ endpointId }) => endpointId)
    await sql`select 1 from endpoint where id = any(${endpointIds}::text[]) order by id for no key update`
    await sql`
      update delivery set lease_until = null, due_at = now()
      from ${recordset(sql, 'held', { id: 'text', epoch: 'bigint' }, claimed)}
      where delivery.id = held.id and delivery.epoch = held.epoch and lease_until is not null`
    await refreshDue(sql, endpointIds)
  }) as unknown as Promise<void>
