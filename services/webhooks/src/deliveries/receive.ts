import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Incoming } from '@filmgate/kit/bus/bus'
import { UnprocessableMessage } from '@filmgate/kit/bus/unprocessable-message'
import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { TasksEvent } from '@filmgate/proto/gen/filmgate/v1/tasks_pb'
import { uuidv7 } from 'uuidv7'
import { useCallbacks } from '../callbacks/callback-repository'
import type { EventType } from '../endpoints/endpoint'
import { markClosed } from '../endpoints/endpoint-repository'
import { type InsertDelivery, insertDeliveries, type LockedEndpoint, lockEndpointsOf, markDue } from './delivery-repository'

export type ReceiveDeps = { sql: Sql; retryForSeconds: number; keptDays: number; wake(): void }

type Deliverable = { closed: false; eventId: string; accountId: string; event: EventType; taskId: string | null; at: Date; data: object }
type AccountClosed = { closed: true; accountId: string }

/**
 * Writes a delivery for each event and each endpoint or callback that asks for it: once, however often the event comes. The event that an
 * account is closed is its last, and ends its endpoints.
 */
export async function receive({ sql, retryForSeconds, keptDays, wake }: ReceiveDeps, messages: Incoming<TasksEvent>[]): Promise<void> {
  const read = messages.map(readEvent)
  const events = read.filter(event => !event.closed)
  const closedIds = read.filter(({ closed }) => closed).map(({ accountId }) => accountId)
  const inserted = (await sql.begin(async sql => {
    const endpoints = await lockEndpointsOf(sql, [...new Set(read.map(({ accountId }) => accountId))])
    const callbacks = await callbacksOf(sql, { endpoints, events, keptDays })
    const asksFor = (endpoint: LockedEndpoint, { event, at, taskId }: Deliverable) =>
      endpoint.callbacks ? callbacks.has(`${endpoint.id} ${taskId}`) : endpoint.events.includes(event) && endpoint.createdAt <= at
    const deliveries = events.flatMap(happened =>
      endpoints
        .filter(endpoint => endpoint.accountId === happened.accountId && asksFor(endpoint, happened))
        .map(({ id: endpointId }): InsertDelivery => {
          const { eventId, event, taskId, at, data } = happened
          const body = JSON.stringify({ type: event, timestamp: at.toISOString(), data })
          return { id: newDeliveryId(), endpointId, eventId, event, taskId, body }
        }),
    )
    if (deliveries.length > 0) {
      await insertDeliveries(sql, deliveries, retryForSeconds)
      await markDue(sql, [...new Set(deliveries.map(({ endpointId }) => endpointId))])
    }
    if (closedIds.length > 0) await markClosed(sql, closedIds)
    return deliveries.length
  })) as number
  if (inserted > 0) wake()
}

type Batch = { endpoints: LockedEndpoint[]; events: Deliverable[]; keptDays: number }

/** Endpoint and task of each callback that an event is for. Without an account that has ever sent one, nothing is read. */
async function callbacksOf(sql: TransactionSql, { endpoints, events, keptDays }: Batch): Promise<Set<string>> {
  const endpointIds = endpoints.filter(({ callbacks }) => callbacks).map(({ id }) => id)
  if (endpointIds.length === 0) return new Set()
  const taskIds = events.flatMap(({ taskId }) => taskId ?? [])
  const reviewedIds = events.flatMap(({ event, taskId }) => (event === 'task.in_review' ? (taskId ?? []) : []))
  const used = await useCallbacks(sql, { endpointIds, taskIds, reviewedIds, keptDays })
  return new Set(used.map(({ endpointId, taskId }) => `${endpointId} ${taskId}`))
}

export const newDeliveryId = (): string => `msg_${uuidv7().replaceAll('-', '')}`

function readEvent({ event: { event }, eventId, timestampMs }: Incoming<TasksEvent>): Deliverable | AccountClosed {
  if (event.case === undefined) throw new UnprocessableMessage('an event of an unknown kind')
  const { accountId, at } = event.value
  if (event.case === 'accountClosed') return { closed: true, accountId }
  const when = at ? timestampDate(at) : new Date(timestampMs)
  if (event.case === 'balanceLow') {
    const { availableCredits, thresholdCredits } = event.value
    const data = { available_credits: Number(availableCredits), threshold_credits: Number(thresholdCredits) }
    return { closed: false, eventId, accountId, event: 'balance.low', taskId: null, at: when, data }
  }
  const { taskId, videoTask, tags } = event.value
  const task = readTask(videoTask)
  const type = event.case === 'taskInReview' ? 'task.in_review' : task.status === 'failed' ? 'task.failed' : 'task.completed'
  return { closed: false, eventId, accountId, event: type, taskId, at: when, data: { task, tags } }
}

function readTask(text: string): { status?: unknown } {
  try {
    const task: unknown = JSON.parse(text)
    if (typeof task === 'object' && task !== null) return task
  } catch {}
  throw new UnprocessableMessage('its VideoTask is no JSON object')
}
