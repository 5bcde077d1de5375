import { type Static, Type } from '@sinclair/typebox'
import { number, numberOrNull, text, textOrNull, time, timeOrNull } from './answer'

/** An endpoint of an account. `resumed_by`: the operator who resumed it last; null where its account did. */
export const WebhookEndpoint = Type.Object({
  ...{ id: text, account_id: text, url: text, description: text, events: Type.Array(text), status: text },
  ...{ paused_reason: textOrNull, failing_since: timeOrNull, resumed_at: timeOrNull, resumed_by: textOrNull },
  ...{ created_at: time, updated_at: time },
})
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

export const WebhookEndpoints = Type.Object({ data: Type.Array(WebhookEndpoint) })
export type WebhookEndpoints = Static<typeof WebhookEndpoints>

const Attempt = Type.Object({ at: time, duration_ms: number, status: numberOrNull, error: textOrNull })

/** Without the bodies: they are the client's. */
const Delivery = Type.Object({
  ...{ id: text, event: text, task_id: textOrNull, status: text, attempts: Type.Array(Attempt) },
  ...{ next_attempt_at: timeOrNull, created_at: time },
})

/** `deliveries`: the latest, newest first. */
export const WebhookDetails = Type.Object({ endpoint: WebhookEndpoint, deliveries: Type.Array(Delivery) })
export type WebhookDetails = Static<typeof WebhookDetails>

/** `more`: the span holds more than a call sends again. */
export const WebhookReplay = Type.Object({ replayed: number, more: Type.Boolean() })
export type WebhookReplay = Static<typeof WebhookReplay>
