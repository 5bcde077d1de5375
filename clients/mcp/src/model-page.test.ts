import { expect, test } from 'bun:test'
import { type Card, modelPage } from './model-page.ts'

const card: Card = {
  id: 'alpha-h3',
  family: 'alpha',
  available: true,
  default_mode: 'text-to-video',
  notes: [],
  modes: {
    'text-to-video': {
      required: ['prompt'],
      fields: ['prompt', 'duration', 'resolution'],
      media_limits: null,
      schema: {
        properties: {
          prompt: { type: 'string' },
          duration: { type: 'integer', minimum: 4, maximum: 15, default: 5 },
          resolution: { enum: ['768p', '2k'] },
        },
      },
    },
    'media-to-video': {
      required: ['mode'],
      fields: ['reference_image_urls'],
      media_limits: { image: { formats: ['jpeg', 'png'], bytes_max: 10 }, total_bytes_max: 20 },
      schema: { properties: { reference_image_urls: { type: 'array', maxItems: 9, items: { type: 'string', not: {} } } } },
    },
  },
  rules: [{ modes: ['media-to-video'], message: 'at least one reference is needed' }],
  pricing: {
    rounding: 'up, once, of the sum',
    rows: [
      { item: 'output', unit: 'second', resolution: '2k', generate_audio: true, credits_per_unit: 13.44 },
      { item: 'input_video', unit: 'second', credits_per_unit: 2 },
    ],
  },
}

test('a page says what each mode takes, its rules and its prices', () => {
  expect(modelPage(card)).toBe(`# alpha-h3

## text-to-video (default mode)
- \`prompt\` (required): text.
- \`duration\`: 4 to 15. Default: 5.
- \`resolution\`: 768p, 2k.

## media-to-video
- \`reference_image_urls\`: up to 9 of: an https URL.

### Media limits
- image: formats jpeg/png, bytes_max 10
- total_bytes_max: 20

## Rules
- at least one reference is needed (media-to-video)

## Price
- video (2k, with audio): 13.44 credits a second
- each input video: 2 credits a second
Rounded up, once, of the sum.
`)
})
