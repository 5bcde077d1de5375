import { notCancelledBecause } from '../../../cancel/cancel-task'
import type { Schema } from '../../../rules/json-schema'
import { publicCodes } from '../error-codes'
import { detailNames, detailsOf } from '../error-details'
import { list, object, oneOf, ref, spelledOut, text, time, whole } from './shape'

const details: Record<string, Schema> = {
  issues: list(ref('Issue'), 'Every fault of the request at once, at most 100.'),
  task_id: text('The task that the answer is about: one that failed, or one whose acceptance is not known yet.'),
  url_index: whole('Which item of `field`, from 0.', 0),
  field: text('The property whose file is meant.'),
  reason: oneOf(Object.keys(notCancelledBecause), 'Why the task is not cancelled.'),
  measured: text('What was found in the file.'),
  limit: text('What the model takes. Beside `rate_limited`: `refusals`, where it is not the limit of requests.'),
  price_credits: whole('The price of the request.', 1),
  max_credits: whole('What the request allows.', 1),
  price_version: text('The price book that the price is from.'),
  required_credits: whole('The price of the request.', 1),
  available_credits: whole('The paid balance.', 0),
  budget: oneOf(['key', 'member', 'account'], 'Whose budget has too little left: of several, the one that comes back last.'),
  period: oneOf(['total', 'day', 'month'], 'What that budget caps; days and months are those of the account’s time zone.'),
  left_credits: whole('What that budget has left, less than the price.', 0),
  resets_at: { ...time('When that budget begins anew; null for a total, which never does.'), type: ['string', 'null'] },
  unfinished: list(ref('UnfinishedTask'), 'The tasks that count, of the API and of the console: those first that stop first, at most 10.'),
}

const codesWith = (detail: string): string =>
  publicCodes
    .filter(code => detailNames(code).includes(detail))
    .map(code => `\`${code}\``)
    .join(', ')

/** With each code exactly its details: what a schema of properties alone leaves open. */
const detailsByCode: Schema[] = publicCodes.map(code => {
  const { always, sometimes = [] } = detailsOf[code] ?? { always: [] }
  const names = [...always, ...sometimes]
  const only = { propertyNames: { enum: names }, ...(always.length > 0 && { required: always }) }
  const has = always.length > 0 ? { required: ['details'] } : {}
  const then = names.length > 0 ? { ...has, properties: { details: spelledOut(only) } } : { not: { required: ['details'] } }
  return spelledOut({ if: { properties: { code: { const: code } } }, then })
})

/** The one shape of every refusal. */
export const errorSchemas: Record<string, Schema> = {
  ErrorResponse: object('What every refusal looks like.', { error: ref('ApiError') }),
  ApiError: {
    ...object(
      'A refusal.',
      {
        code: ref('ErrorCode'),
        message: text('For people. The words may change.'),
        details: ref('ErrorDetails', 'What a program may need; which properties are there depends on the code.'),
      },
      ['details'],
    ),
    allOf: detailsByCode,
  },
  ErrorCode: oneOf(publicCodes, 'For programs: the closed list of why a request is refused.'),
  ErrorDetails: {
    type: 'object',
    description: 'Facts beside an error. Which of them are there depends on the code.',
    properties: Object.fromEntries(
      Object.entries(details).map(([name, schema]) => [name, { ...schema, description: `${schema.description} With ${codesWith(name)}.` }]),
    ),
    additionalProperties: true,
  },
  UnfinishedTask: object(
    'A task that counts towards the limit of the account.',
    {
      task_id: text('The task. One of the console can\u2019t be read here.'),
      billing_status: oneOf(['reserved', 'review', 'refund_pending'], 'What its credits wait for.'),
      until: time('Of a review: from then on it does not count, because its generation can no longer run. Its credits stay held.'),
    },
    ['until'],
  ),
  Issue: object('One fault of a request.', {
    path: text('The property, such as `duration` or `reference_image_urls[2]`; empty for the body itself.'),
    rule: text('What it offends: a keyword such as `required` or `maximum`, or the name of a rule of the model.'),
    message: text('The fault in words: what is legal, and what was sent.'),
  }),
}
