import type { ModelCard, ModelMode } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { type KindLimits, MediaKind, type MediaLimits } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { PriceItem, PriceUnit } from '@filmgate/proto/gen/filmgate/v1/price_pb'
import { publishedRules } from './published-rules'
import { schemaOfMode } from './schema-of-mode'

const schemaDialect = 'https://json-schema.org/draft/2020-12/schema'

/** A model as GET /models shows it. */
export function modelView(card: ModelCard, isDefault: boolean, available = true) {
  return {
    id: card.model,
    object: 'model' as const,
    family: card.family,
    default: isDefault,
    available,
    default_mode: card.defaultMode || null,
    capabilities: card.capabilities,
    notes: card.notes,
    card_version: card.cardVersion,
    modes: Object.fromEntries(card.modes.map(mode => [mode.name, modeView(card, mode, isDefault)])),
    rules: publishedRules(card),
    pricing: pricingView(card),
  }
}

function modeView(card: ModelCard, mode: ModelMode, isDefault: boolean) {
  const schema = schemaOfMode(card, mode, isDefault)
  return {
    required: schema.required,
    fields: mode.fields.map(field => field.name),
    media_limits: mediaLimitsView(mode.mediaLimits),
    schema: { $schema: schemaDialect, ...schema },
  }
}

const kindNames: Record<number, string> = { [MediaKind.IMAGE]: 'image', [MediaKind.VIDEO]: 'video', [MediaKind.AUDIO]: 'audio' }

/** Null for a mode that takes no media. */
function mediaLimitsView(limits: MediaLimits | undefined) {
  if (!limits || limits.kinds.length === 0) return null
  const kinds = limits.kinds.map(kind => [kindNames[kind.kind], kindView(kind)])
  return { ...Object.fromEntries(kinds), total_bytes_max: Number(limits.totalBytesMax) }
}

/** Zero means "no such limit" on the wire; here it is left out. */
function kindView(kind: KindLimits) {
  const numbers = {
    bytes_max: Number(kind.bytesMax),
    width_min: kind.widthMin,
    width_max: kind.widthMax,
    height_min: kind.heightMin,
    height_max: kind.heightMax,
    ratio_min: kind.ratioMin,
    ratio_max: kind.ratioMax,
    frame_rate_min: kind.frameRateMin,
    frame_rate_max: kind.frameRateMax,
    seconds_min: kind.secondsMin,
    seconds_max: kind.secondsMax,
    seconds_total_max: kind.secondsTotalMax,
  }
  return { formats: kind.formats, ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== 0)) }
}

function pricingView(card: ModelCard) {
  const rows = (card.pricing?.rows ?? []).map(row => ({
    item: row.item === PriceItem.OUTPUT ? 'output' : 'input_video',
    unit: row.unit === PriceUnit.SECOND ? 'second' : 'generation',
    ...(row.resolution && { resolution: row.resolution }),
    ...(row.audio !== undefined && { generate_audio: row.audio }),
    ...(row.durationSeconds && { duration: row.durationSeconds }),
    credits_per_unit: Number(row.microCredits) / 1_000_000,
  }))
  return { price_version: card.priceVersion, rounding: 'up, once, of the sum' as const, rows }
}
