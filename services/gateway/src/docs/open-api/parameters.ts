import { cancelAfterHeader, cancelAfterSecondsMax } from '../../cancel/read-cancel-after'
import type { Schema } from '../../rules/json-schema'
import { tagNamePattern, tagsHeader, tagsMax, tagValueCharactersMax } from '../../tags/read-tags'
import { dimensionsPattern } from '../../usage/dimensions'

import { keyIdExample } from './error-examples'

const parameter = (place: 'query' | 'header' | 'path', name: string, description: string, schema: Schema, example: string | number) => ({
  name,
  in: place,
  required: place === 'path' || name === 'Idempotency-Key',
  description,
  schema,
  example,
})

const moment = (example: string, name: string, words: string) =>
  parameter('query', name, words, { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] }, example)

const tag = `${tagNamePattern}=[!-+\\--~]([ -+\\--~]*[!-+\\--~])?`

const tagFilter = parameter(
  'query',
  'tag',
  'With this tag only: name=value, percent-encoded as all of a query.',
  { type: 'string', pattern: `^${tagNamePattern}=` },
  'project=spring',
)

/** What requests may carry beside a body. */
export const parameters = {
  idempotencyKey: parameter(
    'header',
    'Idempotency-Key',
    'Names this generation within your API key. The same key and body return the same task.',
    { type: 'string', minLength: 1, maxLength: 160, pattern: '^[a-zA-Z0-9._:-]+$' },
    'order-1042',
  ),
  tags: parameter(
    'header',
    tagsHeader,
    `Marks the task for your own books: up to ${tagsMax} of name=value, separated by commas. A value is percent-encoded UTF-8 of 1 to ${tagValueCharactersMax} visible characters; a comma in it is %2C. Tags are no part of what an Idempotency-Key compares: those of the first request stay.`,
    { type: 'string', pattern: `^${tag}( *, *${tag}){0,${tagsMax - 1}}$` },
    'project=spring,shot=12',
  ),
  cancelAfter: parameter(
    'header',
    cancelAfterHeader,
    'Cancels the task after so many seconds, as POST /tasks/{id}/cancel does then. Not part of what an Idempotency-Key compares.',
    { type: 'integer', minimum: 1, maximum: cancelAfterSecondsMax },
    600,
  ),
  taskId: (example: string) =>
    parameter('path', 'id', 'The id of the task.', { type: 'string', minLength: 1, maxLength: 120, pattern: '^[A-Za-z0-9_-]+$' }, example),
  uploadId: (example: string) =>
    parameter('path', 'id', 'The id of the upload.', { type: 'string', minLength: 1, maxLength: 120 }, example),
  webhookId: (example: string) =>
    parameter(
      'path',
      'id',
      'The id of the endpoint.',
      { type: 'string', minLength: 1, maxLength: 120, pattern: '^[A-Za-z0-9_-]+$' },
      example,
    ),
  deliveryStatus: parameter(
    'query',
    'status',
    'Deliveries of this status only.',
    { $ref: '#/components/schemas/WebhookDeliveryStatus' },
    'failed',
  ),
  prefer: parameter(
    'header',
    'Prefer',
    'wait=N holds the answer until the task changes, for at most N (60) seconds.',
    { type: 'string', pattern: '^wait=[0-9]{1,2}$' },
    'wait=60',
  ),
  lastEventId: parameter(
    'header',
    'Last-Event-ID',
    'Of a stream: only the events after this one.',
    { type: 'string', pattern: '^[0-9]{1,9}$' },
    '2',
  ),
  retryCount: parameter(
    'header',
    'x-stainless-retry-count',
    'How often the client has sent this request before; OpenAI’s clients send it by themselves.',
    { type: 'string', pattern: '^[0-9]{1,3}$' },
    '0',
  ),
  variant: parameter('query', 'variant', 'Which file. Default: video.', { type: 'string', enum: ['video', 'thumbnail'] }, 'thumbnail'),
  modelId: parameter('path', 'id', 'The name of the model.', { type: 'string', minLength: 1, maxLength: 64 }, 'alpha-h3'),
  openAiPaging: [
    parameter(
      'query',
      'after',
      'The `last_id` of the page before.',
      { type: 'string', pattern: '^[A-Za-z0-9_-]{1,120}$' },
      'vt_06a7xk2m9rtw3yqg5hbn8cdz4e',
    ),
    parameter('query', 'limit', 'Rows a page has at most. Default: 20.', { type: 'integer', minimum: 1, maximum: 100 }, 20),
    parameter('query', 'order', 'By age. Default: desc, newest first.', { type: 'string', enum: ['asc', 'desc'] }, 'desc'),
  ],
  status: parameter('query', 'status', 'Tasks of this status only.', { $ref: '#/components/schemas/TaskStatus' }, 'completed'),
  boundKey: parameter(
    'query',
    'idempotency_key',
    'The task that your API key has bound to this Idempotency-Key: a list of one, or of none. Another API key has other tasks.',
    { type: 'string', minLength: 1, maxLength: 160, pattern: '^[a-zA-Z0-9._:-]+$' },
    'order-1042',
  ),
  ifNoneMatch: parameter('header', 'If-None-Match', 'The ETag of the answer you have.', { type: 'string' }, '"1f3a9c5d7e2b4680"'),
  span: [
    moment('2026-11-01', 'from', 'Not earlier than this day (UTC) or moment.'),
    moment('2026-12-01', 'to', 'Earlier than this day (UTC) or moment.'),
    parameter('query', 'model', 'Of this model only.', { type: 'string', minLength: 1, maxLength: 64 }, 'alpha-h3'),
    parameter('query', 'key_id', 'Of this API key only.', { type: 'string', minLength: 1, maxLength: 64 }, keyIdExample),
    tagFilter,
  ],
  tag: tagFilter,
  by: parameter(
    'query',
    'by',
    'What to sum by: `day`, `model`, `key` and one `tag:NAME`, separated by commas. Default: `day,model`.',
    { type: 'string', pattern: dimensionsPattern },
    'day,tag:project',
  ),
  paging: (fallback: number, maximum: number) => [
    parameter(
      'query',
      'cursor',
      'The `next_cursor` of the page before.',
      { type: 'string' },
      'WyJ2dF8wNmE3eGsybTlydHczeXFnNWhibjhjZHo0ZSJd',
    ),
    parameter('query', 'limit', `Rows a page has at most. Default: ${fallback}.`, { type: 'integer', minimum: 1, maximum }, fallback),
  ],
}
