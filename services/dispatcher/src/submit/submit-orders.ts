import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { leaseOwner } from '@filmgate/kit/jobs/job-worker'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import { insertAttempts } from '../attempt/attempt-repository'
import { outgoing, refused } from '../attempt/events'
import type { ReadyOrder } from '../attempt/order'
import { admitByMs, type NewAttempt, type PlanDeps, type PlannedAttempt, planAttempt, refusedRow } from '../attempt/plan-attempts'
import type { Holds } from '../holds/holds'
import { type ReplayDeps, replay } from '../recovery/replay'
import type { LiveRouting } from '../routing/live-routing'
import type { Sender } from './sender'

export type SubmitDeps = PlanDeps &
  ReplayDeps & {
    sql: Sql
    outbox: Outbox
    routing: Pick<LiveRouting, 'routesToTry'>
    holds: Pick<Holds, 'turnedAway'>
    sender: Sender
    /** While databases are brought back: an order without an attempt may be one whose attempt was lost, after its submit. */
    recovering?: boolean
    now: () => Date
  }

/**
 * Makes an order's first attempt durable, then has its provider called without waiting for the answer. An order delivered before finds its
 * attempt, and the events of what has become of that are published again: whoever brought the order may have missed them. At most as many
 * are made durable as can be sent at once, because an attempt that is durable as `sending` counts as sent.
 */
export async function submitOrders(deps: SubmitDeps, delivered: ReadyOrder[]): Promise<void> {
  // Two deliveries of one order have one attempt's id, and each would be sent under it.
  const orders = [...new Map(delivered.map(ready => [ready.order.taskId, ready])).values()]
  for (let from = 0; from < orders.length; ) {
    const room = await deps.sender.room()
    await submitSome(deps, orders.slice(from, from + room))
    from += room
  }
}

async function submitSome(deps: SubmitDeps, orders: ReadyOrder[]): Promise<void> {
  const firsts = await planFirsts(deps, orders)
  const toSend = firsts.flatMap(one => one.planned ?? [])
  const heldSinceMs = performance.now()
  const fresh = toSend.length === firsts.length ? await insertRows(deps, deps.sql, firsts) : await insertWithRefusals(deps, firsts)
  for (const planned of toSend) if (fresh.has(planned.attempt.id)) deps.sender.send(planned, heldSinceMs)
  const known = firsts.filter(({ row }) => !fresh.has(row.id)).map(({ row }) => row.taskId)
  if (known.length > 0) await deps.outbox.transaction((sql, send) => replay(deps, { sql, send }, known))
}

/** The row to insert, and what is to be sent unless the order is refused without asking a provider. */
type FirstAttempt = { ready: ReadyOrder; row: NewAttempt; planned?: PlannedAttempt }

/** An order that its provider must not get now goes to its next route. */
async function planFirsts(deps: SubmitDeps, orders: ReadyOrder[], without: ReadonlySet<string> = new Set()): Promise<FirstAttempt[]> {
  const firsts = orders.map(ready => planFirst(deps, ready, without))
  const planned = firsts.flatMap(one => one.planned ?? [])
  const turnedAway = planned.length > 0 && !deps.recovering ? await deps.holds.turnedAway(planned) : new Set()
  if (turnedAway.size === 0) return firsts
  const [away = [], taken = []] = [true, false].map(is => firsts.filter(({ row }) => turnedAway.has(row.id) === is))
  const providers = new Set([...without, ...away.map(({ row }) => row.provider)])
  return [
    ...taken,
    ...(await planFirsts(
      deps,
      away.map(({ ready }) => ready),
      providers,
    )),
  ]
}

function planFirst(deps: SubmitDeps, ready: ReadyOrder, without: ReadonlySet<string>): FirstAttempt {
  const refuse = (cause: string) => ({ ready, row: refusedRow(deps, ready, 'generation_unavailable', cause) })
  if (!deps.recovering && deps.now().getTime() >= admitByMs(ready.order)) return refuse('met after its admit_by')
  const routes = deps.routing.routesToTry(ready.order).filter(({ connector }) => !without.has(connector.provider))
  const planned = planAttempt(deps, ready, routes, 1)
  // A row that still uploads would prove that nothing was sent.
  if (planned && deps.recovering) return { ready, row: { ...planned.attempt, uploads: false }, planned }
  if (planned) return { ready, row: planned.attempt, planned }
  return refuse('no configured provider of its routes has a mapping for all that it asks and takes new orders')
}

const insertRows = ({ leaseMs }: SubmitDeps, sql: Sql | TransactionSql, firsts: FirstAttempt[]): Promise<Set<string>> =>
  insertAttempts(
    sql,
    firsts.map(one => one.row),
    { owner: leaseOwner, leaseMs },
  )

/** Where some are refused, their events are written in the same transaction. */
const insertWithRefusals = (deps: SubmitDeps, firsts: FirstAttempt[]): Promise<Set<string>> =>
  deps.outbox.transaction(async (sql, send) => {
    const fresh = await insertRows(deps, sql, firsts)
    const refusals = firsts.filter(({ row, planned }) => !planned && fresh.has(row.id))
    send(refusals.map(({ row }) => outgoing(deps.topicPrefix, row, refused(row, deps.now(), 'generation_unavailable'))))
    return fresh
  })
