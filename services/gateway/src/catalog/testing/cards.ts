import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  Comparator,
  FieldKind,
  type FieldSchema,
  Measure,
  type ModelCard,
  ModelCardSchema,
} from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { PriceItem, PriceUnit } from '@filmgate/proto/gen/filmgate/v1/price_pb'
import type { Catalog } from '../catalog-table'
import { compileCard } from '../compile-card'

type FieldInit = MessageInitShape<typeof FieldSchema>

const common: FieldInit[] = [
  { name: 'prompt', kind: FieldKind.TEXT, required: true, min: 1n, max: 20n },
  { name: 'duration', kind: FieldKind.INTEGER, min: 4n, max: 10n, default: { value: { case: 'integer', value: 5n } } },
  { name: 'resolution', kind: FieldKind.CHOICE, choices: ['480p', '1080p'], default: { value: { case: 'text', value: '480p' } } },
]
const sound: FieldInit = { name: 'generate_audio', kind: FieldKind.BOOLEAN, default: { value: { case: 'boolean', value: false } } }
const image: FieldInit = { name: 'image_url', kind: FieldKind.URL, required: true, max: 100n, mediaKind: MediaKind.IMAGE }
const videos: FieldInit[] = [
  { name: 'reference_image_urls', kind: FieldKind.URL_LIST, itemsMax: 2, max: 100n, mediaKind: MediaKind.IMAGE },
  { name: 'reference_video_urls', kind: FieldKind.URL_LIST, itemsMax: 3, max: 100n, mediaKind: MediaKind.VIDEO },
  { name: 'reference_video_durations', kind: FieldKind.SECONDS_LIST, itemsMax: 3, min: 2n, max: 9n, secondsOf: 'reference_video_urls' },
]
const when1080p = [
  { field: 'resolution', test: { case: 'oneOf' as const, value: { values: [{ value: { case: 'text' as const, value: '1080p' } }] } } },
]
const isSix = {
  field: 'duration',
  test: { case: 'oneOf' as const, value: { values: [{ value: { case: 'integer' as const, value: 6n } }] } },
}
const some = (field: string) => ({ field, test: { case: 'items' as const, value: { min: 1n } } })

/** A card with something of everything: a rule on values, sums, counts, a choice of references, audio prices and input prices. */
export const testCard = (change: Partial<Pick<ModelCard, 'model' | 'defaultMode' | 'cardVersion' | 'modes'>> = {}): ModelCard =>
  create(ModelCardSchema, {
    model: 'test-1',
    family: 'test',
    cardVersion: 'c1',
    priceVersion: 'p1',
    defaultMode: 'text-to-video',
    modes: [
      {
        name: 'text-to-video',
        fields: [...common, sound],
        rules: [{ name: 'duration_at_1080p', when: when1080p, requireAll: [isSix] }],
      },
      { name: 'image-to-video', fields: [...common, image] },
      {
        name: 'media-to-video',
        fields: [...common, ...videos],
        rules: [
          { name: 'references_min', requireAny: [some('reference_image_urls'), some('reference_video_urls')] },
          {
            name: 'video_durations_count',
            compare: {
              left: [{ measure: Measure.COUNT, field: 'reference_video_durations' }],
              comparator: Comparator.EQUAL,
              right: [{ measure: Measure.COUNT, field: 'reference_video_urls' }],
            },
          },
          {
            name: 'total_seconds',
            compare: {
              left: [
                { measure: Measure.VALUE, field: 'duration' },
                { measure: Measure.SUM, field: 'reference_video_durations' },
              ],
              comparator: Comparator.AT_MOST,
              limit: 20n,
            },
          },
        ],
        mediaLimits: { kinds: [{ kind: MediaKind.VIDEO, formats: ['mp4'], bytesMax: 1000n }], totalBytesMax: 5000n },
      },
    ],
    pricing: {
      rows: [
        { item: PriceItem.OUTPUT, unit: PriceUnit.SECOND, resolution: '480p', audio: false, microCredits: 1_300_000n },
        { item: PriceItem.OUTPUT, unit: PriceUnit.SECOND, resolution: '480p', audio: true, microCredits: 2_000_001n },
        { item: PriceItem.OUTPUT, unit: PriceUnit.GENERATION, resolution: '1080p', microCredits: 50_000_000n },
        { item: PriceItem.INPUT_VIDEO, unit: PriceUnit.SECOND, resolution: '480p', microCredits: 700_000n },
      ],
    },
    ...change,
  })

export const testCatalog = (...cards: ModelCard[]): Catalog => ({
  version: 'v1',
  priceVersion: 'p1',
  defaultModel: cards[0]?.model ?? '',
  models: new Map(cards.map(card => [card.model, compileCard(card)])),
})
