import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Incoming } from '@filmgate/kit/bus/bus'
import { UnprocessableMessage } from '@filmgate/kit/bus/unprocessable-message'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { TasksEvent } from '@filmgate/proto/gen/filmgate/v1/tasks_pb'
import { uuidv7 } from 'uuidv7'
import type { EventType } from '../endpoints/endpoint'
import { markClosed } from '../endpoints/endpoint-repository'
import { type InsertDelivery, insertDeliveries, lockEndpointsOf, markDue } from './delivery-repository'

export type ReceiveDeps = { sql: Sql; retryForSeconds: number; wake(): void }

type Told = { closed: false; eventId: string; accountId: string; event: EventType; taskId: string | null; at: Date; data: object }
type AccountClosed = { closed: true; accountId: string }

/**
 * Writes a delivery for each event and each endpoint of its account that asks for it: once, however often the event comes. The event that
 * an account is closed is its last, and ends its endpoints.
 */
export async function receive({ sql, retryForSeconds, wake }: ReceiveDeps, messages: Incoming<TasksEvent>[]): Promise<void> {
  const read = messages.map(readEvent)
  const events = read.filter(event => !event.closed)
  const closedIds = read.filter(({ closed }) => closed).map(({ accountId }) => accountId)
  const inserted = (await sql.begin(async sql => {
    const endpoints = await lockEndpointsOf(sql, [...new Set(read.map(({ accountId }) => accountId))])
    const deliveries = events.flatMap(({ eventId, accountId, event, taskId, at, data }) =>
      endpoints
        .filter(endpoint => endpoint.accountId === accountId && endpoint.events.includes(event) && endpoint.createdAt <= at)
        .map(({ id: endpointId }): InsertDelivery => {
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

export const newDeliveryId = (): string => `msg_${uuidv7().replaceAll('-', '')}`

function readEvent({ event: { event }, eventId, timestampMs }: Incoming<TasksEvent>): Told | AccountClosed {
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
