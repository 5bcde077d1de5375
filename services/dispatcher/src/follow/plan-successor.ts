import type { Sql } from '@filmgate/kit/database/postgres'
import type { Due } from '../attempt/attempt'
import { type ReadyOrder, readOrder } from '../attempt/order'
import { admitByMs, type PlanDeps, type PlannedAttempt, planAttempt } from '../attempt/plan-attempts'
import type { Routing } from '../routing/routing'
import { type InputsDeps, lookAtInputs, nextAttemptAfterMs } from '../submit/unread-inputs'
import { findOrderEvent } from './follow-repository'

export type PlanSuccessorDeps = PlanDeps & InputsDeps & { sql: Sql; routing: Pick<Routing, 'routesOf'> }

/**
 * Another attempt at an order whose sender ended before it wrote down an answer, now that its provider certainly has nothing of it: a crash of
 * ours must not cost the client its video. Undefined where its time of admission is over.
 */
export async function planSuccessor(deps: PlanSuccessorDeps, due: Due): Promise<PlannedAttempt | undefined> {
  const ready = await readyOf(deps, due)
  return ready && planAttempt(deps, ready, deps.routing.routesOf(ready.order), due.attempt.number + 1)
}

/** Another attempt at an order whose provider accepted it and could not read our copies; `not-yet` while our store doesn't show them. */
export async function planOnceReadable(deps: PlanSuccessorDeps, due: Due): Promise<PlannedAttempt | 'not-yet' | undefined> {
  const { attempt } = due
  const ready = await readyOf(deps, due)
  if (!ready) return undefined
  if (attempt.acceptedMsAgo < nextAttemptAfterMs(attempt.number)) return 'not-yet'
  const seen = await lookAtInputs(deps.inputs, ready.media)
  if (seen === 'silent') return 'not-yet'
  return seen === 'readable' ? planAttempt(deps, ready, deps.routing.routesOf(ready.order), attempt.number + 1) : undefined
}

/** Its order, where that is still kept and its time of admission is not over. */
async function readyOf({ sql, now }: PlanSuccessorDeps, { attempt }: Due): Promise<ReadyOrder | undefined> {
  const source = await findOrderEvent(sql, attempt.id)
  const read = source && readOrder(source)
  if (!read || now().getTime() >= admitByMs(read.order)) return undefined
  return { ...read, traceparent: attempt.traceparent ?? undefined }
}
