import { reasons } from '../errors'
import type { Schema } from '../models/schema-of-field'
import { errorSchema } from './answer-schemas'
import { byStatus, codesOf, type Operation } from './error-codes'

type Answer = { description: string; headers?: Schema; content?: Schema }

const json = (schema: Schema) => ({ 'application/json': { schema } })
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const header = (description: string, schema: Schema = { type: 'string' }) => ({ description, schema })
const rateHeaders = {
  RateLimit: header('Requests left and seconds until one comes back: `"requests";r=…;t=…`.'),
  'RateLimit-Policy': header('The limit: `"requests";q=30;w=60`.'),
}
const retryAfter = { 'Retry-After': header('Whole seconds to wait.', { type: 'integer', minimum: 1 }) }
const ok = (description: string, schema: Schema, headers: Schema = {}): Answer => ({
  description,
  headers: { ...rateHeaders, ...headers },
  content: json(schema),
})

/** The refusals of an operation, each status with exactly its codes. */
function refusals(operation: Operation): Record<string, Answer> {
  const answers = [...byStatus(codesOf[operation])].map(([status, codes]): [string, Answer] => [
    String(status),
    {
      description: codes.map(code => `\`${code}\`: ${reasons[code][1]}`).join('\n\n'),
      ...(status === 429 && { headers: retryAfter }),
      content: json(errorSchema(codes)),
    },
  ])
  return Object.fromEntries(answers)
}

const parameter = (name: string, description: string, schema: Schema, place = 'query', required = false) => ({
  name,
  in: place,
  required,
  description,
  schema,
})
const moment = {
  anyOf: [
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date-time' },
  ],
}
const span = [
  parameter('from', 'Not earlier than this day (UTC) or moment.', moment),
  parameter('to', 'Earlier than this day (UTC) or moment.', moment),
  parameter('model', 'Of this model only.', { type: 'string', minLength: 1, maxLength: 64 }),
]
const paging = (fallback: number, maximum: number) => [
  parameter('cursor', 'next_cursor of the page before.', { type: 'string' }),
  parameter('limit', 'Rows a page has at most.', { type: 'integer', minimum: 1, maximum, default: fallback }),
]
const csv = { 'text/csv': { schema: { type: 'string' } } }

/** The paths of the API. `requestBody` is made from the cards. */
export const paths = (requestBody: Schema): Schema => ({ ...generationPaths(requestBody), ...readPaths })

const generationPaths = (requestBody: Schema): Schema => ({
  '/video/generations': {
    post: {
      operationId: 'createVideoGeneration',
      summary: 'Generate a video',
      description:
        'Reserves credits, checks the media and hands the generation to a provider. The first answer can take minutes: allow a read timeout of 260 seconds. After a 503 or a timeout send the identical body with the same Idempotency-Key.',
      parameters: [
        parameter(
          'Idempotency-Key',
          'Names this generation within your API key. The same key and body return the same task.',
          { type: 'string', minLength: 1, maxLength: 160, pattern: '^[a-zA-Z0-9._:-]+$' },
          'header',
          true,
        ),
      ],
      requestBody,
      responses: {
        '202': ok('A new task was accepted.', ref('VideoTask')),
        '200': ok('The task that this Idempotency-Key is bound to.', ref('VideoTask'), { 'Idempotent-Replayed': header('Always `true`.') }),
        ...refusals('createVideoGeneration'),
      },
    },
  },
  '/video/estimate': {
    post: {
      operationId: 'estimateVideo',
      summary: 'Estimate the credits of a request',
      description: 'The same check and the same price as a generation. Nothing is downloaded, charged or made.',
      requestBody,
      responses: { '200': ok('The price and the request with defaults applied.', ref('Estimate')), ...refusals('estimateVideo') },
    },
  },
})

const readPaths: Schema = {
  '/tasks/{id}': {
    get: {
      operationId: 'getVideoGeneration',
      summary: 'Read a task',
      description: 'The durable state of a task. Poll no faster than every 10 seconds, or hold the read with Prefer: wait=N.',
      parameters: [
        parameter('id', 'The id of the task.', { type: 'string', pattern: '^[A-Za-z0-9_-]{1,120}$' }, 'path', true),
        parameter(
          'Prefer',
          'wait=N holds the answer until the task changes, for at most N (60) seconds.',
          { type: 'string', pattern: '^wait=[0-9]{1,2}$' },
          'header',
        ),
      ],
      responses: { '200': ok('The task.', ref('VideoTask'), retryAfter), ...refusals('getVideoGeneration') },
    },
  },
  '/tasks': {
    get: {
      operationId: 'listVideoGenerations',
      summary: 'List tasks',
      description: "The account's tasks, newest first.",
      parameters: [
        parameter('status', 'With this status only.', { type: 'string', enum: ['processing', 'completed', 'failed'] }),
        ...paging(20, 100),
      ],
      responses: { '200': ok('A page of tasks.', ref('VideoTaskList')), ...refusals('listVideoGenerations') },
    },
  },
  '/credits': {
    get: {
      operationId: 'getPaidCreditBalance',
      summary: 'Read the paid balance',
      description: 'Paid credits that the API may spend. Starter credits are not among them.',
      responses: { '200': ok('The balance.', ref('CreditBalance')), ...refusals('getPaidCreditBalance') },
    },
  },
  '/models': {
    get: {
      operationId: 'listModels',
      summary: 'List models',
      description:
        'Every model with the schemas and rules that requests are checked by, its media limits and prices. Ask again with If-None-Match.',
      parameters: [parameter('If-None-Match', 'The ETag of the answer you have.', { type: 'string' }, 'header')],
      responses: {
        '200': ok('The catalog.', ref('ModelList'), { ETag: header('Changes with the answer.') }),
        '304': { description: 'The answer you have is the current one.' },
        ...refusals('listModels'),
      },
    },
  },
  '/usage': {
    get: {
      operationId: 'listUsage',
      summary: 'List usage records',
      description:
        'What was charged and what came back, newest first. CSV with Accept: text/csv; the next page is then in the Link header.',
      parameters: [...span, ...paging(50, 500)],
      responses: {
        '200': { ...ok('A page of records.', ref('UsageList')), content: { ...json(ref('UsageList')), ...csv } },
        ...refusals('listUsage'),
      },
    },
  },
  '/usage/summary': {
    get: {
      operationId: 'summarizeUsage',
      summary: 'Sum usage by day and model',
      description:
        'Days are of UTC. Without from, the 30 days before to; without to, until now; at most 400 days. CSV with Accept: text/csv.',
      parameters: span,
      responses: {
        '200': { ...ok('The sums.', ref('UsageSummary')), content: { ...json(ref('UsageSummary')), ...csv } },
        ...refusals('summarizeUsage'),
      },
    },
  },
}
