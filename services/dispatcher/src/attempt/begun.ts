import type { ReadyRoute } from '../routing/routing'
import type { NewAttempt } from './attempt-repository'
import type { ReadyOrder } from './order'

/** An attempt to be sent over the first of `routes`; the others are for the attempts after it. */
export type Begun = { attempt: NewAttempt; ready: ReadyOrder; routes: readonly [ReadyRoute, ...ReadyRoute[]] }

export type BegunDeps = {
  newAttemptId: () => string
  leaseMs: number
  /** Of the longest call of any maker. */
  submitTimeoutMs: number
}

/** The `number`-th attempt at an order, over the first of these routes; undefined where there is none. */
export function beginWith(
  { newAttemptId, leaseMs, submitTimeoutMs }: BegunDeps,
  ready: ReadyOrder,
  routes: readonly ReadyRoute[],
  number: number,
): Begun | undefined {
  const [route, ...others] = routes
  if (!route) return undefined
  const { connector, makerModel } = route
  const attempt: NewAttempt = {
    ...rowOf(ready, newAttemptId(), number),
    maker: connector.maker,
    makerModel,
    state: 'sending',
    // A submit begins within the lease it was born with; renewed, that lease lets it go on to the end of its timeout.
    absenceAfterMs: leaseMs + submitTimeoutMs + connector.visibilityMs,
  }
  return { attempt, ready, routes: [route, ...others] }
}

/** The row of an order that is refused without asking anybody: it keeps the order from being begun when it is delivered again. */
export const refusedRow = (ready: ReadyOrder, id: string, code: string, cause: string): NewAttempt => ({
  ...rowOf(ready, id, 1),
  maker: '',
  makerModel: '',
  state: 'refused',
  absenceAfterMs: 0,
  code,
  cause,
})

const rowOf = ({ order, source, traceparent }: ReadyOrder, id: string, number: number) => ({
  id,
  taskId: order.taskId,
  accountId: order.accountId,
  number,
  model: order.model,
  traceparent: traceparent ?? null,
  code: null,
  cause: null,
  source,
})
