import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { ReadyRoute } from '../routing/routing'
import { attemptIdOf } from './attempt-id'
import { encodeTerms, type OrderEvent, type ReadyOrder } from './order'

/** The row of an attempt as it is inserted. */
export type NewAttempt = {
  id: string
  taskId: string
  accountId: string
  number: number
  provider: string
  providerModel: string
  model: string
  state: 'sending' | 'refused'
  /** Its inputs are uploaded to the provider first, which its job says until they are. */
  uploads: boolean
  traceparent: string | null
  /** From now until a look-up that finds nothing proves something. */
  absenceAfterMs: number
  /** How long its provider may run it after the submit. */
  generationMsMax: number
  code: string | null
  cause: string | null
  source: OrderEvent
  /** What its client pays for it. Absent where there is no order: an operator's release. */
  credits?: number
  /** What its delivery is held against. */
  orderTerms?: Uint8Array
  /** By its route's prices. Null where they are not known. */
  listedMicroUsd?: number | null
  unitMicroUsd?: number | null
}

/** An attempt to be sent over the first of `routes`; the others are for the attempts after it. `probe`: it tries a provider that is held. */
export type PlannedAttempt = {
  attempt: NewAttempt
  ready: ReadyOrder
  routes: readonly [ReadyRoute, ...ReadyRoute[]]
  probe?: boolean
}

export type PlanDeps = {
  /** What the ids of attempts are made with. */
  attemptSecret: string
  leaseMs: number
  /** Of all inputs of an order, to a provider that can't read our store. */
  uploadTimeoutMs: number
  /** Of the longest call of any provider. */
  submitTimeoutMs: number
}

/** The `number`-th attempt at an order, over the first of these routes; undefined where there is none. */
export function planAttempt(deps: PlanDeps, ready: ReadyOrder, routes: readonly ReadyRoute[], number: number): PlannedAttempt | undefined {
  const [route, ...others] = routes
  if (!route) return undefined
  const { connector, providerModel, cost, probe } = route
  const uploads = connector.uploadInputs !== undefined && ready.media.length > 0
  const attempt: NewAttempt = {
    ...rowOf(ready, attemptIdOf(deps.attemptSecret, ready.order, number), number),
    provider: connector.provider,
    providerModel,
    state: 'sending',
    uploads,
    ...cost,
    // Renewed, its lease lets a submit go on to the end of its timeout.
    absenceAfterMs: submitsWithinMs(deps, { uploads }) + deps.submitTimeoutMs + connector.capabilities.visibilityMs,
    generationMsMax: connector.capabilities.generationMsMax,
  }
  // Only a first attempt is a probe: its dispatcher alone claims that.
  return { attempt, ready, routes: [route, ...others.filter(other => !other.probe)], ...(probe && { probe }) }
}

/** From an attempt's insertion to its submit's beginning: within the lease that it is inserted with, after the upload of its inputs. */
export const submitsWithinMs = ({ leaseMs, uploadTimeoutMs }: PlanDeps, { uploads }: Pick<NewAttempt, 'uploads'>): number =>
  uploads ? leaseMs + uploadTimeoutMs : leaseMs

/** The row of an order that is refused without asking a provider. It keeps the order from being submitted when it is delivered again. */
export const refusedRow = ({ attemptSecret }: PlanDeps, ready: ReadyOrder, code: string, cause: string): NewAttempt => ({
  ...rowOf(ready, attemptIdOf(attemptSecret, ready.order, 1), 1),
  ...sentToNobody,
  code,
  cause,
})

/** What a row has that is refused without asking a provider. */
export const sentToNobody = {
  provider: '',
  providerModel: '',
  state: 'refused',
  uploads: false,
  absenceAfterMs: 0,
  generationMsMax: 0,
} as const

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
  credits: Number(order.credits),
  orderTerms: encodeTerms(order),
})

/** Until when an attempt at the order may be submitted, in milliseconds since 1970. */
export const admitByMs = (order: Order): number => (order.admitBy ? timestampMs(order.admitBy) : 0)
