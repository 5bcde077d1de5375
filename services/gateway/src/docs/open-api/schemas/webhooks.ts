import type { Schema } from '../../../rules/json-schema'
import { deliveryStatuses, eventTypes } from '../../../webhooks/bodies'
import { list, object, oneOf, ref, text, textOrNull, time, whole } from './shape'

const url = text('Where events are posted: https on port 443 of a public host, without user, password and fragment.', {
  format: 'uri',
  minLength: 1,
  maxLength: 2_048,
})
const events: Schema = { ...list(ref('WebhookEventType'), 'What it is told. Left out: everything.'), minItems: 1, uniqueItems: true }
const description = text('What it is for, in your words.', { maxLength: 200 })
const endpoint = {
  id: text('The id of the endpoint.'),
  url,
  description,
  events: list(ref('WebhookEventType'), 'What it is told.'),
  status: ref('WebhookStatus'),
  paused_reason: textOrNull('Why nothing is sent; null while it is active.'),
  created_at: time('When it was made.'),
  updated_at: time('When it last changed.'),
}
const secret = text('Signs its deliveries. It is only in this answer: store it.')

/** Webhook endpoints, what is sent to them, and what became of it. */
export const webhookSchemas: Record<string, Schema> = {
  WebhookEndpoint: object('An address that is told of events of the account.', endpoint),
  NewWebhookEndpoint: object('A new endpoint.', { url, events, description }, ['events', 'description']),
  WebhookEndpointChange: object('What changes of an endpoint; what is left out stays.', { url, events, description }, [
    'url',
    'events',
    'description',
  ]),
  CreatedWebhookEndpoint: object('A new endpoint and its secret.', { ...endpoint, secret }),
  RotatedWebhookEndpoint: object('An endpoint with a new secret.', {
    ...endpoint,
    secret,
    former_secret_until: time('Until then deliveries are also signed with the former secret.'),
  }),
  WebhookEndpointList: object('The endpoints of the account, at most 20.', {
    object: { const: 'list', description: 'Always `list`.' },
    data: list(ref('WebhookEndpoint'), 'The endpoints.'),
    next_cursor: { type: 'null', description: 'Always null: there is one page.' },
  }),
  WebhookEventType: oneOf(
    eventTypes,
    'task.completed, task.failed: a task of the API has ended, and its credits are settled or on their way back. task.in_review: whether it ends and how is not known yet. balance.low: the paid balance fell below the threshold of the account.',
  ),
  WebhookStatus: oneOf(['active', 'paused'], 'paused: nothing is sent after days of failures alone, until it is resumed.'),
  WebhookDelivery: object('One event for one endpoint.', {
    id: text('The header `webhook-id`, the same in every attempt: skip what you have handled.'),
    event: text('The type of the event; `webhook.test` for a test.'),
    task_id: textOrNull('The task that it tells of.'),
    status: ref('WebhookDeliveryStatus'),
    attempts: list(ref('WebhookAttempt'), 'The attempts to send it, oldest first.'),
    next_attempt_at: {
      anyOf: [time('When it is sent next.'), { type: 'null' }],
      description: 'When it is sent next; null unless it is pending.',
    },
    created_at: time('When the event came.'),
  }),
  WebhookDeliveryStatus: oneOf(
    deliveryStatuses,
    'pending: it is sent, or sent again. delivered: it was answered with 2xx. failed: no attempt of 24 hours was.',
  ),
  WebhookAttempt: object('One request to the endpoint.', {
    at: time('When it was sent.'),
    duration_ms: whole('How long the answer took, in milliseconds.', 0),
    status: { type: ['integer', 'null'], description: 'The status of the answer; null if there was none.' },
    error: textOrNull('Why there was no answer.'),
    answer: textOrNull('How the answer begins.'),
  }),
  WebhookDeliveryList: object('A page of deliveries, newest first, of the last 30 days.', {
    object: { const: 'list', description: 'Always `list`.' },
    data: list(ref('WebhookDelivery'), 'The rows of this page.'),
    next_cursor: textOrNull('What to send as `cursor` for the next page; null on the last.'),
  }),
  WebhookReplay: object(
    'What is sent again: one delivery by its id, or all that were created in a span.',
    {
      delivery_id: text('One delivery. Send it alone.', { pattern: '^[A-Za-z0-9_-]{1,120}$' }),
      from: time('The first moment of the span.'),
      to: time('The first moment behind the span.'),
    },
    ['delivery_id', 'from', 'to'],
  ),
  WebhookReplayed: object('How many deliveries are sent again.', {
    replayed: whole('How many.', 0),
    more: { type: 'boolean', description: 'Whether the span has more: then send the rest of it again.' },
  }),
}
