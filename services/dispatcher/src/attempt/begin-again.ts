import type { Sql } from '@filmgate/kit/postgres'
import type { Routing } from '../routing/routing'
import { findOrderEvent } from './attempt-repository'
import { type Begun, type BegunDeps, beginWith } from './begun'
import type { Due } from './due'
import { admitByMs, readOrder } from './order'

export type BeginAgainDeps = BegunDeps & { sql: Sql; routing: Routing; now: () => Date }

/**
 * Another attempt at an order whose sender ended without a word, now that its maker surely has nothing of it: our own crash shall not
 * cost the client its video. Undefined where its time of admission is over.
 */
export async function beginAgain(deps: BeginAgainDeps, { attempt }: Due): Promise<Begun | undefined> {
  const source = await findOrderEvent(deps.sql, attempt.id)
  const read = source && readOrder(source)
  if (!read || deps.now().getTime() >= admitByMs(read.order)) return undefined
  const ready = { ...read, traceparent: attempt.traceparent ?? undefined }
  return beginWith(deps, ready, deps.routing.routesOf(read.order.model), attempt.number + 1)
}
