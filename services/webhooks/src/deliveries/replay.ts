import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { rfc3339 } from '@filmgate/kit/rfc3339'
import { type Static, Type } from '@sinclair/typebox'
import type { Reason } from '../errors'
import { findDelivery, lockEndpoint, markDue, replayDeliveries, type Span, tryLockReplay } from './delivery-repository'

export const ReplayBody = Type.Object(
  {
    delivery_id: Type.Optional(Type.String({ minLength: 1, maxLength: 120, pattern: '^[A-Za-z0-9_-]+$' })),
    from: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    to: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  },
  { additionalProperties: false },
)
export type ReplayBody = Static<typeof ReplayBody>

export type ReplayDeps = { sql: Sql; retryForSeconds: number; wake(): void }

/** `more`: a span held more than a call sends again; the same call continues where it is narrowed. */
export type Replayed = { replayed: number; more: boolean }

const replayedMax = 1_000
const retryAfterSeconds = 5

/** Sends one delivery again, or all that were created in a span; their ids stay. An account has one replay at a time. */
export async function replay({ sql, retryForSeconds, wake }: ReplayDeps, endpointId: string, body: ReplayBody): Promise<Replayed> {
  const span = readSpan(body)
  if ('deliveryId' in span && !(await findDelivery(sql, endpointId, span.deliveryId))) throw new Failure<Reason>('not_found')
  const replayed = (await sql.begin(async sql => {
    if (!(await tryLockReplay(sql, endpointId))) throw new Failure<Reason>('replay_running', { retryAfterSeconds })
    await lockEndpoint(sql, endpointId)
    const count = await replayDeliveries(sql, endpointId, span, { retryForSeconds, limit: replayedMax })
    await markDue(sql, [endpointId])
    return count
  })) as number
  wake()
  return { replayed, more: replayed === replayedMax }
}

function readSpan({ delivery_id, from, to }: ReplayBody): Span {
  if (delivery_id !== undefined && from === undefined && to === undefined) return { deliveryId: delivery_id }
  const [start, end] = [from, to].map(text => (text === undefined ? undefined : rfc3339(text)))
  if (delivery_id === undefined && start && end && start < end) return { from: start, to: end }
  const message = 'send delivery_id alone, or from and to as moments like 2026-11-21T08:30:00Z, from before to'
  throw new Failure<Reason>('invalid_request', {
    details: { issues: [{ path: delivery_id === undefined ? 'from' : 'delivery_id', rule: 'span', message }] },
  })
}
