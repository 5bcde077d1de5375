import { describe, expect, test } from 'bun:test'
import type { Model, Property } from '../models/model'
import models from '../testing/models.json'
import { commonMode, commonModes } from './common-mode'

const all = models.data as unknown as Model[]
const named = (...ids: string[]) => ids.map(id => all.find(model => model.id === id) as Model)

/** A model of one mode, text-to-video, with these properties. */
const model = (properties: Record<string, Property>, required: string[] = []): Model => ({
  id: 'm',
  family: 'm',
  available: true,
  default: false,
  default_mode: 'text-to-video',
  notes: [],
  rules: [],
  modes: { 'text-to-video': { required, fields: Object.keys(properties), media_limits: null, schema: { properties } } },
})
const shared = (...properties: Property[]) =>
  commonMode(
    properties.map(property => model({ field: property })),
    'text-to-video',
  )?.schema.properties.field

describe('a property of several models', () => {
  const cases: [string, Property[], Property | undefined][] = [
    [
      'bounds narrow',
      [
        { type: 'integer', minimum: 4, maximum: 15 },
        { type: 'integer', minimum: 2, maximum: 10 },
      ],
      { type: 'integer', minimum: 4, maximum: 10 },
    ],
    [
      'bounds that do not meet leave nothing',
      [
        { type: 'integer', maximum: 4 },
        { type: 'integer', minimum: 5 },
      ],
      undefined,
    ],
    [
      'choices within bounds',
      [
        { type: 'integer', minimum: 4, maximum: 8 },
        { type: 'integer', enum: [5, 10] },
      ],
      { type: 'integer', minimum: 4, maximum: 8, enum: [5] },
    ],
    [
      'choices of each',
      [
        { type: 'string', enum: ['480p', '720p'] },
        { type: 'string', enum: ['720p', '1080p'] },
      ],
      { type: 'string', enum: ['720p'] },
    ],
    [
      'no common choice',
      [
        { type: 'string', enum: ['768p'] },
        { type: 'string', enum: ['720p'] },
      ],
      undefined,
    ],
    [
      'an equal default stays',
      [
        { type: 'string', default: 'a' },
        { type: 'string', default: 'a' },
      ],
      { type: 'string', default: 'a' },
    ],
    ['another default goes', [{ type: 'string', default: 'a' }, { type: 'string' }], { type: 'string' }],
    ['boxes of other defaults are none', [{ type: 'boolean', default: true }, { type: 'boolean' }], undefined],
    ['boxes of the same default', [{ type: 'boolean', default: false }, { type: 'boolean' }], { type: 'boolean' }],
    [
      'the fewest items',
      [
        { type: 'array', maxItems: 9 },
        { type: 'array', maxItems: 2 },
      ],
      { type: 'array', maxItems: 2 },
    ],
    ['another type', [{ type: 'array' }, { type: 'string' }], undefined],
    [
      'a constant',
      [
        { type: 'string', const: 'm' },
        { type: 'string', const: 'm' },
      ],
      undefined,
    ],
  ]
  test.each(cases)('%s', (_, properties, expected) => {
    expect(shared(...properties)).toEqual(expected as Property)
    expect(shared(...properties.toReversed())).toEqual(expected as Property)
  })
})

test('real models share what each takes, whichever comes first', () => {
  const [ab, ba] = [
    commonMode(named('alpha-h3', 'delta-2.6'), 'text-to-video'),
    commonMode(named('delta-2.6', 'alpha-h3'), 'text-to-video'),
  ]
  for (const mode of [ab, ba]) {
    expect(mode?.fields.toSorted()).toEqual(['aspect_ratio', 'duration', 'max_credits', 'prompt'])
    expect(mode?.schema.properties.duration).toMatchObject({ enum: [5, 10], default: 5 })
    expect(mode?.schema.properties.resolution).toBeUndefined()
    expect(mode?.required).toEqual(['prompt'])
  }
})

test('files are held to the strictest limits', () => {
  const mode = commonMode(named('alpha-h3', 'beta-2.0-fast', 'delta-2.6'), 'image-to-video')
  const limits = named('alpha-h3', 'beta-2.0-fast', 'delta-2.6').map(({ modes }) => modes['image-to-video']?.media_limits?.image)
  expect(mode?.media_limits?.image?.bytes_max).toBe(Math.min(...limits.map(each => each?.bytes_max ?? Number.POSITIVE_INFINITY)))
  expect(mode?.media_limits?.image?.width_min).toBe(Math.max(...limits.map(each => each?.width_min ?? 0)))
  for (const format of mode?.media_limits?.image?.formats ?? []) for (const each of limits) expect(each?.formats).toContain(format)
})

test('a mode that one lacks, and a required field that one has not, are not in common', () => {
  expect(commonModes(named('alpha-h3', 'delta-2.6'))).toEqual(['text-to-video', 'image-to-video'])
  expect(commonMode([model({ prompt: {}, a: {} }, ['a']), model({ prompt: {} })], 'text-to-video')).toBeUndefined()
  expect(commonModes([])).toEqual([])
})
