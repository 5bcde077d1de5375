import type { Schema } from '../../../rules/json-schema'
import { list, object, oneOf, ref, refOrNull, text, textOrNull, whole, yes } from './shape'

const number = (description: string): Schema => ({ type: 'number', description })
const open = (description: string): Schema => ({ type: 'object', description, additionalProperties: true })
const value = (description: string): Schema => ({ type: ['string', 'integer', 'boolean'], description })
const limit = (description: string): Schema => whole(`${description} No such limit where it is missing.`, 0)

const sides = ['width_min', 'width_max', 'height_min', 'height_max']
const kindLimits = {
  formats: list({ type: 'string' }, 'What a file may be, such as `png` or `mp4`.'),
  bytes_max: limit('Bytes of one file.'),
  ...Object.fromEntries(sides.map(side => [side, limit('Pixels.')])),
  ratio_min: number('Width divided by height, at least.'),
  ratio_max: number('Width divided by height, at most.'),
  frame_rate_min: number('Frames a second, at least.'),
  frame_rate_max: number('Frames a second, at most.'),
  seconds_min: limit('Seconds of one file, at least.'),
  seconds_max: limit('Seconds of one file, at most.'),
  seconds_total_max: limit('Seconds of all files of the kind together.'),
}
const modeOf = (name: string) => ref('ModelMode', `What ${name} takes; missing where the model has no such mode.`)

/** GET /models. */
export const modelSchemas: Record<string, Schema> = {
  ModelList: object('Every model of the catalog.', {
    object: { const: 'list', description: 'Always `list`.' },
    version: text('Changes with every card, price and offer.'),
    price_version: text('The price book in force.'),
    data: list(ref('Model'), 'The models.'),
  }),
  Model: object(
    'What may be asked of one model here, and what that costs: modes, fields and values that no configured provider has are left out.',
    {
      id: text('What a request names as `model`.'),
      object: { const: 'model', description: 'Always `model`.' },
      family: text('The family of the model.'),
      default: yes('Whether this is the model of a request that names none.'),
      available: yes(
        'Whether a provider of it is configured here. Where it is false, a generation is refused before anything is reserved.',
      ),
      default_mode: textOrNull('The mode of a request that names none; null where a request must name one.'),
      capabilities: list({ type: 'string' }, 'Words such as `seed`, `generated_audio`, `end_frame` and `reference_videos`.'),
      notes: list({ type: 'string' }, 'Sentences for people.'),
      card_version: text('Changes with anything about the model but its price.'),
      modes: ref('ModelModes'),
      rules: list(ref('ModelRule'), 'What JSON Schema cannot say, for a program to evaluate.'),
      pricing: ref('Pricing'),
    },
  ),
  ModelModes: object(
    'The modes of a model by their names.',
    {
      'text-to-video': modeOf('text-to-video'),
      'image-to-video': modeOf('image-to-video'),
      'media-to-video': modeOf('media-to-video'),
    },
    ['text-to-video', 'image-to-video', 'media-to-video'],
  ),
  ModelMode: object('What one mode of a model takes.', {
    required: list({ type: 'string' }, 'Properties that a request must have.'),
    fields: list({ type: 'string' }, 'Properties that a request may have beside model and mode.'),
    media_limits: refOrNull('MediaLimits', 'What its files may be; null where it takes none.'),
    schema: open('JSON Schema 2020-12 of a request in this mode: what the server checks by.'),
  }),
  MediaLimits: object(
    'What the files of a mode may be.',
    {
      image: ref('KindLimits', 'Each image.'),
      video: ref('KindLimits', 'Each video.'),
      audio: ref('KindLimits', 'Each audio file.'),
      total_bytes_max: whole('Bytes of all files together.', 1),
    },
    ['image', 'video', 'audio'],
  ),
  KindLimits: object(
    'What one file may be.',
    kindLimits,
    Object.keys(kindLimits).filter(name => name !== 'formats'),
  ),
  ModelRule: object(
    'Where all of `when` holds, `left` added up compares with `right` added up; or the text named by `well_formed` is well-formed Unicode.',
    {
      rule: text('The name that a refusal carries as `rule`.'),
      modes: list(ref('Mode'), 'The modes it holds in.'),
      message: text('The rule in words.'),
      when: list(ref('RuleCondition'), 'Conditions; always where there are none.'),
      left: list(ref('RuleTerm'), 'Terms to add up.'),
      op: oneOf(['<=', '>=', '=='], 'How the sums compare.'),
      right: list(ref('RuleTerm'), 'Terms to add up.'),
      well_formed: text('A text that has neither U+0000 nor an unpaired surrogate.'),
    },
    ['when', 'left', 'op', 'right', 'well_formed'],
  ),
  RuleTerm: {
    description: 'A number, or how to get one from a request.',
    anyOf: [{ type: 'number' }, ref('RuleMeasure')],
  },
  RuleMeasure: object(
    'One of value, sum, count and trimmed_length, each naming a property. A property left out counts as `default`, or 0.',
    {
      value: text('The value of this property.'),
      sum: text('The sum of this list.'),
      count: text('The number of items of this list.'),
      trimmed_length: text('The Unicode code points of this text after trimming.'),
      default: number('What a property left out counts as.'),
    },
    ['value', 'sum', 'count', 'trimmed_length', 'default'],
  ),
  RuleCondition: object(
    'Holds with the default in place of a property left out; a list left out has no items.',
    {
      field: text('The property.'),
      present: yes('Whether it must be there, or must not.'),
      one_of: list(value('A value.'), 'It has one of these values.'),
      min: number('It is at least this.'),
      max: number('It is at most this.'),
      items_min: whole('The list has at least so many items.', 0),
      items_max: whole('The list has at most so many items.', 0),
      default: value('What a property left out counts as.'),
    },
    ['present', 'one_of', 'min', 'max', 'items_min', 'items_max', 'default'],
  ),
  Pricing: object('The prices of a model.', {
    price_version: text('The price book.'),
    rounding: text('How the sum is rounded.'),
    rows: list(ref('PriceRow'), 'Of the output rows exactly one fits a request.'),
  }),
  PriceRow: object(
    'A rate and what it is for.',
    {
      item: ref('PriceItem'),
      unit: ref('PriceUnit'),
      resolution: text('At this resolution; any where it is missing.'),
      generate_audio: yes('With or without generated sound; both where it is missing.'),
      duration: whole('At this length in seconds; any where it is missing.', 1),
      credits_per_unit: { type: 'number', exclusiveMinimum: 0, description: 'Credits for one unit.' },
    },
    ['resolution', 'generate_audio', 'duration'],
  ),
}
