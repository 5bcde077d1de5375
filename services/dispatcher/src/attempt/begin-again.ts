import type { Sql } from '@filmgate/kit/postgres'
import type { Routing } from '../routing/routing'
import { findOrderEvent } from './attempt-repository'
import { type Begun, type BegunDeps, beginWith } from './begun'
import type { Due } from './due'
import { admitByMs, type ReadyOrder, readOrder } from './order'
import { type InputsDeps, lookAtInputs, nextAttemptAfterMs } from './unread-inputs'

export type BeginAgainDeps = BegunDeps & InputsDeps & { sql: Sql; routing: Routing }

/**
 * Another attempt at an order whose sender ended without a word, now that its maker surely has nothing of it: our own crash shall not
 * cost the client its video. Undefined where its time of admission is over.
 */
export async function beginAgain(deps: BeginAgainDeps, due: Due): Promise<Begun | undefined> {
  const ready = await readyOf(deps, due)
  return ready && beginWith(deps, ready, deps.routing.routesOf(ready.order.model), due.attempt.number + 1)
}

/** Another attempt at an order whose maker accepted it and could not read our copies; `held` while our store doesn't show them. */
export async function beginOnceRead(deps: BeginAgainDeps, due: Due): Promise<Begun | 'held' | undefined> {
  const { attempt } = due
  const ready = await readyOf(deps, due)
  if (!ready) return undefined
  if (attempt.acceptedMsAgo < nextAttemptAfterMs(attempt.number)) return 'held'
  const seen = await lookAtInputs(deps.inputs, ready.media)
  if (seen === 'silent') return 'held'
  return seen === 'readable' ? beginWith(deps, ready, deps.routing.routesOf(ready.order.model), attempt.number + 1) : undefined
}

/** Its order, where that is still kept and its time of admission is not over. */
async function readyOf({ sql, now }: BeginAgainDeps, { attempt }: Due): Promise<ReadyOrder | undefined> {
  const source = await findOrderEvent(sql, attempt.id)
  const read = source && readOrder(source)
  if (!read || now().getTime() >= admitByMs(read.order)) return undefined
  return { ...read, traceparent: attempt.traceparent ?? undefined }
}
