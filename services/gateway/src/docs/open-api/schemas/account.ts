import type { Schema } from '../../../rules/json-schema'
import { tagNamePattern, tagsMax, tagValueCharactersMax } from '../../../tags/read-tags'
import { list, object, oneOf, page, ref, text, textOrNull, time, whole, yes } from './shape'

const credits = (description: string) => whole(description, 0)

/** Balance, estimate and usage. */
export const accountSchemas: Record<string, Schema> = {
  CreditBalance: object('What the API may spend.', {
    available_credits: credits('Paid credits that nothing holds.'),
    balance_type: { const: 'paid', description: 'Always `paid`: starter credits never fund the API.' },
  }),
  ApiKey: object('The key that asks.', {
    key_id: text('Names the key; it stays when the key is rotated.'),
    prefix: text('How the key begins. It is no secret.'),
    name: text('What the key is for.'),
    created_at: time('When the key was made.'),
    expires_at: { type: ['string', 'null'], format: 'date-time', description: 'When the key ends; null for never.' },
    limits: ref('ApiKeyLimits'),
    spend: ref('ApiKeySpend'),
    budgets: list(
      ref('ApiKeyBudget'),
      'The caps that its requests are held to: its own, then those of its account. Empty where there is none.',
    ),
  }),
  ApiKeyLimits: object('What the key may do.', {
    requests_per_minute: whole('Requests in a minute.', 1),
    unfinished_tasks: whole('Unfinished tasks that its account may have.', 1),
    models: {
      type: ['array', 'null'],
      items: { type: 'string' },
      description:
        'The only models it may ask for; null for all. Another is 400 `invalid_request` with an issue of the rule `key_models`, in estimate and creation.',
    },
    addresses: {
      type: ['array', 'null'],
      items: { type: 'string' },
      description: 'The only addresses and ranges (CIDR) it works from; null for all. From another it is 401 `invalid_api_key`.',
    },
  }),
  ApiKeySpend: object('Credits taken for the key’s tasks, less those that came back.', {
    today_credits: credits('Of today.'),
    month_credits: credits('Of this month.'),
  }),
  ApiKeyBudget: object(
    'A cap in credits. What it has spent and left may lag behind for a moment; a request is decided by what holds then.',
    {
      budget: oneOf(['key', 'account'], 'Whose cap: of the key, or of its account with all keys and the console.'),
      period: oneOf(['total', 'day', 'month'], 'What is capped; days and months are those of the account’s time zone.'),
      max_credits: credits('The cap; 0 refuses every request.'),
      spent_credits: credits('What is spent of it, less refunds of what the same period spent.'),
      left_credits: credits('A request above it is 402 `budget_exceeded`.'),
      resets_at: { ...time('When it begins anew; null for a total, which never does.'), type: ['string', 'null'] },
    },
  ),
  Estimate: object('What a request would cost now. A generation of the same request reserves and charges the same number.', {
    credits: whole('The price, rounded up once.', 1),
    price_version: text('The price book that the price is from.'),
    breakdown: list(ref('PriceLine'), 'What the price is made of.'),
    request: ref('VideoGenerationRequest', 'The request with defaults applied and the prompt trimmed.'),
    available: yes(
      'Whether a provider of the model is configured here; where it is false, a generation is refused before anything is reserved.',
    ),
    within_max_credits: yes('Whether the price is at most max_credits; true where the request has none.'),
    sufficient_credits: yes('Whether the paid balance covers the price.'),
    available_credits: credits('The paid balance.'),
  }),
  PriceLine: object('One line of a price.', {
    item: ref('PriceItem'),
    quantity: whole('How many units.', 1),
    unit: ref('PriceUnit'),
    rate: { type: 'number', exclusiveMinimum: 0, description: 'Credits for one unit.' },
    credits: credits('What the line adds to the rounded-up total; the lines sum to it.'),
  }),
  PriceItem: oneOf(['output', 'input_video'], 'output: the video that is made. input_video: the reference videos.'),
  PriceUnit: oneOf(['second', 'generation'], 'What one unit is: a second, or a whole generation.'),
  UsageRecord: object('One movement of credits.', {
    created_at: time('When the credits moved.'),
    task_id: textOrNull('The task; null for a grant or a debit, and for what was spent in the console.'),
    change_id: textOrNull('The id of a grant or a debit; null for a task.'),
    kind: ref('UsageKind'),
    model: textOrNull('The model; null where there is no task_id.'),
    mode: { anyOf: [ref('Mode'), { type: 'null' }], description: 'The mode; null where there is no task_id.' },
    resolution: textOrNull('The resolution; null where there is no task_id.'),
    billed_seconds: credits(
      'Seconds of output that the credits are for; breakdown has the reference videos too. 0 for a refund of a part, and where there is no task_id.',
    ),
    credits: whole('Negative where credits were taken, positive where they came back or were given.'),
    balance_after: credits('The paid balance after it: that of the record before it in time, plus these credits.'),
    price_version: textOrNull('The price book of the charge; null where there is no task_id.'),
    breakdown: {
      anyOf: [list(ref('PriceLine'), 'The lines that the credits are the sum of.'), { type: 'null' }],
      description:
        'The lines that the credits are the sum of, as an estimate tells them; null for a refund of a part, and where there is no task_id. JSON in a cell of CSV.',
    },
    surface: {
      anyOf: [ref('UsageSurface'), { type: 'null' }],
      description: 'Where the generation was asked for; null for a grant or a debit.',
    },
    key_id: textOrNull('The API key that asked; null where there is no task_id, and where it is not known any more.'),
    tags: {
      anyOf: [ref('Tags'), { type: 'null' }],
      description: 'The tags of the task; null where it has none. As Filmgate-Tags has them in a cell of CSV.',
    },
  }),
  Tags: {
    type: 'object',
    description: 'Values by name, as Filmgate-Tags had them.',
    propertyNames: { pattern: `^${tagNamePattern}$` },
    additionalProperties: { type: 'string', minLength: 1, maxLength: tagValueCharactersMax },
    maxProperties: tagsMax,
  },
  UsageKind: oneOf(
    ['reservation', 'refund', 'grant', 'debit'],
    'reservation: taken for a task. refund: came back from one, all or a part. grant, debit: given or taken by the service.',
  ),
  UsageSurface: oneOf(
    ['api', 'web'],
    'api: by this API. web: in the console, by a member of the account; the record has the paid credits that moved, and nothing of the task.',
  ),
  UsageList: page('UsageRecord', 'A page of usage records, newest first.'),
  UsageSummary: object('Usage, summed.', {
    object: { const: 'list', description: 'Always `list`.' },
    from: time('The first moment that is counted.'),
    to: time('The first moment that is no longer counted.'),
    data: list(ref('UsageDay'), 'A row for each day and model that has any, or for each of what `by` names.'),
  }),
  UsageDay: object(
    'What one model cost on one day, or the console; or what one of `by` names.',
    {
      day: text('The day in UTC; with `by` only where it is named.', { format: 'date' }),
      model: textOrNull('The model; null for the paid credits that were spent in the console. With `by` only where it is named.'),
      key_id: textOrNull('The API key; null for the console. Where `by` names key.'),
      tag: textOrNull('name=value; null for what has no tag of that name. Where `by` names tag:NAME.'),
      generations: credits('Generations that were charged.'),
      refunds: credits('Generations whose credits came back, all or a part.'),
      billed_seconds: credits('Seconds whose credits were kept, all or a part; 0 for the console.'),
      credits_used: credits('Credits taken.'),
      credits_refunded: credits('Credits that came back.'),
      credits_net: whole('credits_used minus credits_refunded.'),
    },
    ['day', 'model', 'key_id', 'tag'],
  ),
}
