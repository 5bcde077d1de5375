import type { Schema } from '../models/schema-of-field'
import { publicCodes } from './error-codes'

const text = { type: 'string' }
const whole = { type: 'integer' }
const credits = { type: 'integer', minimum: 0 }
const time = { type: 'string', format: 'date-time' }

/** An object with exactly these properties; those named by `optional` may be missing. */
const object = (properties: Schema, optional: string[] = []): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter(name => !optional.includes(name)),
  additionalProperties: false,
})
const list = (items: Schema): Schema => ({ type: 'array', items })
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })
const mode = { type: 'string', enum: ['text-to-video', 'image-to-video', 'media-to-video'] }

const videoTask = object(
  {
    id: text,
    status: { type: 'string', enum: ['processing', 'completed', 'failed'] },
    model: text,
    mode,
    credits_used: { ...credits, description: 'The reservation. Net cost is credits_used minus credits_refunded.' },
    credits_refunded: credits,
    output: orNull(object({ video_url: { type: 'string', format: 'uri' } })),
    error: orNull(object({ code: text, message: text })),
    created_at: orNull(time),
    updated_at: orNull(time),
    billing_status: { type: 'string', enum: ['reserved', 'settled', 'refunded', 'refund_pending', 'review'] },
  },
  ['billing_status'],
)

const issue = object({
  path: { ...text, description: 'The property, such as duration or reference_image_urls[2]; empty for the body itself.' },
  rule: text,
  message: text,
})

const error = (codes: string[]): Schema =>
  object({
    error: object(
      {
        code: { type: 'string', enum: codes },
        message: text,
        details: {
          type: 'object',
          properties: { issues: list(issue), task_id: text },
          description: 'What a program may need: issues names every fault of a body, task_id the task an uncertain answer is about.',
        },
      },
      ['details'],
    ),
  })

const estimate = object({
  credits: { ...whole, minimum: 1 },
  price_version: text,
  breakdown: list(
    object({
      item: { type: 'string', enum: ['output', 'input_video'] },
      quantity: { ...whole, minimum: 1 },
      unit: { type: 'string', enum: ['second', 'generation'] },
      rate: { type: 'number', exclusiveMinimum: 0, description: 'Credits for one unit.' },
      credits: { ...credits, description: 'What the line adds to the rounded-up total; the lines sum to it.' },
    }),
  ),
  request: { type: 'object', description: 'The request with defaults applied.', additionalProperties: true },
  within_max_credits: { type: 'boolean' },
  sufficient_credits: { type: 'boolean' },
  available_credits: credits,
})

const usageRecord = object({
  created_at: time,
  task_id: orNull(text),
  change_id: { ...orNull(text), description: 'Of a grant or a debit, which have no task and no model.' },
  kind: { type: 'string', enum: ['reservation', 'refund', 'grant', 'debit'] },
  model: orNull(text),
  mode: orNull(mode),
  resolution: orNull(text),
  billed_seconds: whole,
  credits: { ...whole, description: 'Negative where credits were taken, positive where they came back or were given.' },
  balance_after: { ...credits, description: 'That of the record before, plus these credits.' },
  price_version: orNull(text),
})

const usageSum = object({
  day: { type: 'string', format: 'date' },
  model: text,
  generations: credits,
  refunds: credits,
  billed_seconds: { ...whole, description: 'Seconds whose credits were kept.' },
  credits_used: credits,
  credits_refunded: credits,
  credits_net: whole,
})

const publishedModel = object({
  id: text,
  object: { const: 'model' },
  family: text,
  default: { type: 'boolean', description: 'The model of a request that names none.' },
  default_mode: orNull(text),
  capabilities: list(text),
  notes: list(text),
  card_version: text,
  modes: {
    type: 'object',
    additionalProperties: object({
      required: list(text),
      fields: list(text),
      media_limits: orNull({ type: 'object', additionalProperties: true }),
      schema: { type: 'object', additionalProperties: true, description: 'JSON Schema 2020-12 of a request in this mode.' },
    }),
  },
  rules: list({
    type: 'object',
    properties: { rule: text, modes: list(mode), message: text },
    required: ['rule', 'modes', 'message'],
    additionalProperties: true,
    description: 'What JSON Schema cannot say, for a program to evaluate.',
  }),
  pricing: object({ price_version: text, rounding: text, rows: list({ type: 'object', additionalProperties: true }) }),
})

const page = (items: Schema): Schema =>
  object({ object: { const: 'list' }, data: list(items), has_more: { type: 'boolean' }, next_cursor: orNull(text) })

/** Every answer of the API, exactly: nothing beside what is written here is sent. */
export const answerSchemas: Record<string, Schema> = {
  VideoTask: videoTask,
  VideoTaskList: page({ $ref: '#/components/schemas/VideoTask' }),
  CreditBalance: object({ available_credits: credits, balance_type: { const: 'paid' } }),
  Estimate: estimate,
  ModelList: object({ object: { const: 'list' }, version: text, price_version: text, data: list(publishedModel) }),
  UsageList: page(usageRecord),
  UsageSummary: object({ object: { const: 'list' }, from: time, to: time, data: list(usageSum) }),
  ErrorResponse: error(publicCodes),
}

export const errorSchema = error
