import { leaseOwner } from '@filmgate/kit/jobs'
import type { Sql, TransactionSql } from '@filmgate/kit/postgres'
import { type RetellDeps, retell } from '../retelling/retell'
import type { Routing } from '../routing/routing'
import { insertAttempts, type NewAttempt } from './attempt-repository'
import { type Begun, type BegunDeps, beginWith, refusedRow } from './begun'
import { outgoing, refused } from './events'
import { admitByMs, type ReadyOrder } from './order'
import type { Sender } from './send'

export type BeginDeps = BegunDeps & RetellDeps & { sql: Sql; routing: Routing; sender: Sender; now: () => Date }

/**
 * Makes an order's first attempt durable, then has its maker called without waiting for the answer. An order delivered before finds its
 * attempt, and what that has come to is told again: whoever brought the order may have missed it. At most as many are begun as can be sent at once: what is durable as `sending` counts as sent.
 */
export async function beginAttempts(deps: BeginDeps, orders: ReadyOrder[]): Promise<void> {
  for (let from = 0; from < orders.length; ) {
    const room = await deps.sender.room()
    await beginSome(deps, orders.slice(from, from + room))
    from += room
  }
}

async function beginSome(deps: BeginDeps, orders: ReadyOrder[]): Promise<void> {
  const planned = orders.map(ready => plan(deps, ready))
  const toSend = planned.flatMap(one => one.begun ?? [])
  const heldSinceMs = performance.now()
  const fresh = toSend.length === planned.length ? await insertRows(deps, deps.sql, planned) : await insertAndTell(deps, planned)
  for (const begun of toSend) if (fresh.has(begun.attempt.id)) deps.sender.send(begun, heldSinceMs)
  const known = planned.filter(({ row }) => !fresh.has(row.id)).map(({ row }) => row.taskId)
  if (known.length > 0) await retell(deps, known)
}

type Planned = { row: NewAttempt; begun?: Begun }

const insertRows = ({ leaseMs }: BeginDeps, sql: Sql | TransactionSql, planned: Planned[]): Promise<Set<string>> =>
  insertAttempts(
    sql,
    planned.map(one => one.row),
    { owner: leaseOwner, leaseMs },
  )

/** Where some are turned away, the world is told so in the same transaction. */
const insertAndTell = (deps: BeginDeps, planned: Planned[]): Promise<Set<string>> =>
  deps.outbox.transaction(async (sql, send) => {
    const fresh = await insertRows(deps, sql, planned)
    const turnedAway = planned.filter(({ row, begun }) => !begun && fresh.has(row.id))
    send(turnedAway.map(({ row }) => outgoing(deps.topicPrefix, row, refused(row, deps.now(), 'generation_unavailable'))))
    return fresh
  })

/** The row to write, and what is to be sent unless it is turned away. */
function plan(deps: BeginDeps, ready: ReadyOrder): Planned {
  const turnAway = (cause: string) => ({ row: refusedRow(ready, deps.newAttemptId(), 'generation_unavailable', cause) })
  if (deps.now().getTime() >= admitByMs(ready.order)) return turnAway('met after its admit_by')
  const begun = beginWith(deps, ready, deps.routing.routesOf(ready.order.model), 1)
  return begun ? { row: begun.attempt, begun } : turnAway('no maker of its routes is configured')
}
