import { type Reason, reasons } from '../../errors'
import { openAiError } from '../../openai/error-view'
import type { Schema } from '../../rules/json-schema'
import { byStatus, codesOf, type Operation } from './error-codes'
import { errorExample } from './error-examples'
import { refsTo, usualHeaders } from './headers'
import { ref } from './schemas/shape'

export type Answer = { description: string; headers?: Schema; content?: Schema }

/** An answer that is a named schema, shown by an example. */
export const ok = (description: string, schema: string, example: unknown, ...headers: string[]): Answer => ({
  description,
  headers: { ...usualHeaders, ...refsTo(...headers) },
  content: { 'application/json': { schema: ref(schema), example } },
})

/** The same rows as CSV. */
export const csv = (example: string): Schema => ({ 'text/csv': { schema: { type: 'string' }, example } })

/** The same events as a stream. */
export const eventStream = (events: { id: string }[]): Schema => ({
  'text/event-stream': {
    schema: { type: 'string' },
    example: events.map(event => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  },
})

/** How an API writes its refusals. */
export type ErrorShape = { schema: string; example(code: Reason): object }

const headersOf: Record<number, string[]> = { 401: ['WWW-Authenticate'], 429: ['Retry-After'], 503: ['Retry-After'] }

const native: ErrorShape = { schema: 'ErrorResponse', example: errorExample }

export const openAiShape: ErrorShape = {
  schema: 'OpenAiError',
  example: code => openAiError(reasons[code][0], errorExample(code)),
}

/** The refusals of an operation: one shape, and under each status exactly its codes. */
export const refusals = (operation: Operation, { schema, example }: ErrorShape = native): Record<string, Answer> =>
  Object.fromEntries(
    [...byStatus(codesOf[operation])].map(([status, codes]): [string, Answer] => [
      String(status),
      {
        description: codes.map(code => `\`${code}\`: ${reasons[code][1]}`).join('\n\n'),
        headers: { ...usualHeaders, ...refsTo(...(headersOf[status] ?? [])) },
        content: {
          'application/json': {
            schema: ref(schema),
            examples: Object.fromEntries(codes.map(code => [code, { summary: code, value: example(code) }])),
          },
        },
      },
    ]),
  )
