import type { Schema } from '../../rules/json-schema'
import { eventTypes } from '../../webhooks/bodies'
import { type Answer, ok, refusals } from './answers'
import { taskIdExample } from './error-examples'
import { usualHeaders } from './headers'
import { parameters } from './parameters'
import { ref } from './schemas/shape'
import { tags } from './tags'

const endpoint = {
  id: 'whe_019abc2f7d6e7c41a5b093d4e8f1c2a7',
  url: 'https://example.com/filmgate',
  description: 'Ends of tasks',
  events: eventTypes,
  status: 'active',
  paused_reason: null,
  created_at: '2026-11-22T09:30:00.000Z',
  updated_at: '2026-11-22T09:30:00.000Z',
}
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const delivery = {
  id: 'msg_019abc31f2907a55b8c6d1e0f3a49b72',
  event: 'task.completed',
  task_id: taskIdExample,
  status: 'delivered',
  attempts: [{ at: '2026-11-22T09:31:12.000Z', duration_ms: 84, status: 200, error: null, answer: 'ok' }],
  next_attempt_at: null,
  created_at: '2026-11-22T09:31:12.000Z',
}

const id = parameters.webhookId(endpoint.id)
const body = (description: string, schema: string, example: unknown): Schema => ({
  required: true,
  description,
  content: { 'application/json': { schema: ref(schema), example } },
})
const noContent: Answer = { description: 'Nothing is sent to it any more.', headers: usualHeaders }

/** Webhook endpoints and their deliveries. */
export const webhookPaths: Schema = {
  '/webhook-endpoints': {
    get: {
      operationId: 'listWebhookEndpoints',
      tags: [tags.webhooks.name],
      summary: 'List webhook endpoints',
      description: 'The endpoints of the account, at most 20.',
      responses: {
        '200': ok('The endpoints.', 'WebhookEndpointList', { object: 'list', data: [endpoint], next_cursor: null }),
        ...refusals('listWebhookEndpoints'),
      },
    },
    post: {
      operationId: 'createWebhookEndpoint',
      tags: [tags.webhooks.name],
      summary: 'Create a webhook endpoint',
      description:
        'From now on events are posted to the URL. The answer has the secret that signs them, this once. After a timeout read the list before you repeat it: each POST makes an endpoint.',
      requestBody: body('The endpoint.', 'NewWebhookEndpoint', { url: endpoint.url, events: ['task.completed', 'task.failed'] }),
      responses: {
        '201': ok('The endpoint and its secret.', 'CreatedWebhookEndpoint', { ...endpoint, secret }),
        ...refusals('createWebhookEndpoint'),
      },
    },
  },
  '/webhook-endpoints/{id}': {
    get: {
      operationId: 'getWebhookEndpoint',
      tags: [tags.webhooks.name],
      summary: 'Read a webhook endpoint',
      description: 'The endpoint, without its secret.',
      parameters: [id],
      responses: { '200': ok('The endpoint.', 'WebhookEndpoint', endpoint), ...refusals('getWebhookEndpoint') },
    },
    patch: {
      operationId: 'changeWebhookEndpoint',
      tags: [tags.webhooks.name],
      summary: 'Change a webhook endpoint',
      description: 'What the body leaves out stays as it is.',
      parameters: [id],
      requestBody: body('What changes.', 'WebhookEndpointChange', { events: ['balance.low'] }),
      responses: { '200': ok('The endpoint.', 'WebhookEndpoint', endpoint), ...refusals('changeWebhookEndpoint') },
    },
    delete: {
      operationId: 'deleteWebhookEndpoint',
      tags: [tags.webhooks.name],
      summary: 'Delete a webhook endpoint',
      description: 'Deliveries that wait are not sent.',
      parameters: [id],
      responses: { '204': noContent, ...refusals('deleteWebhookEndpoint') },
    },
  },
  '/webhook-endpoints/{id}/rotate': {
    post: {
      operationId: 'rotateWebhookSecret',
      tags: [tags.webhooks.name],
      summary: 'Rotate the secret',
      description: 'A new secret, which only this answer has. For a day deliveries have a signature by each secret.',
      parameters: [id],
      responses: {
        '200': ok('The endpoint and its new secret.', 'RotatedWebhookEndpoint', {
          ...endpoint,
          secret,
          former_secret_until: '2026-11-23T09:30:00.000Z',
        }),
        ...refusals('rotateWebhookSecret'),
      },
    },
  },
  '/webhook-endpoints/{id}/test': {
    post: {
      operationId: 'testWebhookEndpoint',
      tags: [tags.webhooks.name],
      summary: 'Send a test',
      description: 'Sends an event of type `webhook.test`, signed as any other. Its delivery is in the list.',
      parameters: [id],
      responses: {
        '202': ok('The delivery of the test.', 'WebhookDelivery', {
          ...delivery,
          event: 'webhook.test',
          task_id: null,
          status: 'pending',
          attempts: [],
          next_attempt_at: delivery.created_at,
        }),
        ...refusals('testWebhookEndpoint'),
      },
    },
  },
  '/webhook-endpoints/{id}/resume': {
    post: {
      operationId: 'resumeWebhookEndpoint',
      tags: [tags.webhooks.name],
      summary: 'Resume a paused endpoint',
      description: 'Deliveries that still wait are sent. Those that failed meanwhile are sent by a replay.',
      parameters: [id],
      responses: { '200': ok('The endpoint.', 'WebhookEndpoint', endpoint), ...refusals('resumeWebhookEndpoint') },
    },
  },
  '/webhook-endpoints/{id}/deliveries': {
    get: {
      operationId: 'listWebhookDeliveries',
      tags: [tags.webhooks.name],
      summary: 'List deliveries',
      description: 'What was sent to the endpoint in the last 30 days with every attempt, newest first.',
      parameters: [id, parameters.deliveryStatus, ...parameters.paging(20, 100)],
      responses: {
        '200': ok('A page of deliveries.', 'WebhookDeliveryList', { object: 'list', data: [delivery], next_cursor: null }),
        ...refusals('listWebhookDeliveries'),
      },
    },
  },
  '/webhook-endpoints/{id}/replay': {
    post: {
      operationId: 'replayWebhookDeliveries',
      tags: [tags.webhooks.name],
      summary: 'Send deliveries again',
      description: 'One delivery by its id, or all of a span. They keep their ids.',
      parameters: [id],
      requestBody: body('What is sent again.', 'WebhookReplay', { delivery_id: delivery.id }),
      responses: {
        '202': ok('How many.', 'WebhookReplayed', { replayed: 1, more: false }),
        ...refusals('replayWebhookDeliveries'),
      },
    },
  },
}
