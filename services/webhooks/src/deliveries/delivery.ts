import type { EventType } from '../endpoints/endpoint'

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** One request to the endpoint. `status` is the answer's; without an answer `error` says why. */
export type Attempt = {
  at: string
  duration_ms: number
  status: number | null
  error: string | null
  /** The start of the answer's body. */
  answer: string | null
}

export type Delivery = {
  id: string
  seq: number
  event: EventType | 'webhook.test'
  taskId: string | null
  status: DeliveryStatus
  attempts: Attempt[]
  dueAt: Date
  createdAt: Date
}

/** As its account sees it. */
export const deliveryView = ({ id, event, taskId, status, attempts, dueAt, createdAt }: Delivery) => ({
  ...{ id, event, task_id: taskId, status, attempts },
  next_attempt_at: status === 'pending' ? dueAt.toISOString() : null,
  created_at: createdAt.toISOString(),
})
export type DeliveryView = ReturnType<typeof deliveryView>
