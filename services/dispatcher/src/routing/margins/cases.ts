import type { Field, ModelCard, ModelMode } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { priceOf } from '@filmgate/proto/price/price-of'
import { mappingOf } from '../../providers/mapping/field-mapping'
import { mediaCountMax } from '../../providers/mapping/request-fields'
import { lackingAt, nameOf, valuesOf } from '../card-values'
import type { Priced } from '../route-cost'
import type { ConfiguredRoute } from '../routing'

/**
 * What a route can be asked for of a card, as far as its price or its cost tells it apart: every resolution, length and sound, each with the fewest and
 * the most input images and seconds of reference video. Prices and costs are linear in these, so that nothing between costs more of its price.
 */
export function casesOf(card: ModelCard, route: ConfiguredRoute): Priced[] {
  const lacking = new Set(lackingAt(route, card))
  return card.modes
    .filter(({ name }) => (route.mode === undefined || route.mode === name) && !lacking.has(`mode ${name}`))
    .flatMap(mode => casesInMode(mode, route, lacking))
}

function casesInMode(mode: ModelMode, route: ConfiguredRoute, lacking: ReadonlySet<string>): Priced[] {
  const field = (name: string) => mode.fields.find(one => one.name === name)
  const valuesIn = (name: string): unknown[] => {
    const own = field(name)
    return own ? valuesOf(mode.name, own).flatMap(one => (lacking.has(nameOf(one)) || !('value' in one) ? [] : [one.value])) : []
  }
  const audios = field('generate_audio') ? (valuesIn('generate_audio') as boolean[]) : [undefined]
  return (valuesIn('resolution') as string[]).flatMap(resolution =>
    (valuesIn('duration') as number[]).flatMap(duration =>
      audios.flatMap(audio =>
        imagesOf(mode, route).flatMap(images =>
          videoSecondsOf(mode, route).map(videoSeconds => {
            return { mode: mode.name, resolution, duration, seconds: duration, audio, images, videoSeconds }
          }),
        ),
      ),
    ),
  )
}

function imagesOf(mode: ModelMode, route: ConfiguredRoute): number[] {
  const fields = mode.fields.filter(({ mediaKind }) => mediaKind === MediaKind.IMAGE)
  const fewest = fields.reduce((sum, field) => sum + (field.required ? Math.max(1, field.itemsMin) : 0), 0)
  return [...new Set([fewest, fields.reduce((sum, field) => sum + mostIn(field, route), 0)])]
}

function videoSecondsOf(mode: ModelMode, route: ConfiguredRoute): number[] {
  const videos = mode.fields.find(({ mediaKind }) => mediaKind === MediaKind.VIDEO)
  if (!videos || mostIn(videos, route) === 0) return [0]
  const limits = mode.mediaLimits?.kinds.find(({ kind }) => kind === MediaKind.VIDEO)
  const [fewest, most] = [limits?.secondsMin ?? 1, limits?.secondsTotalMax ?? 1]
  return videos.required ? [fewest, most] : [0, fewest, most]
}

/** Of a list as many as the route's mapping has places for. */
function mostIn(field: Field, { fields }: ConfiguredRoute): number {
  const mapping = mappingOf(fields, field.name)
  if (!mapping) return 0
  return field.name.endsWith('_urls') ? Math.min(field.itemsMax, mediaCountMax(mapping)) : 1
}

/** What a client pays, as the gateway computes it. Null where no row is for it. */
export function priceMicroUsd({ pricing }: ModelCard, { resolution, seconds, audio = false, videoSeconds }: Priced): number | null {
  const price = priceOf(pricing?.rows ?? [], { resolution, seconds, audio, inputSeconds: videoSeconds })
  return price ? price.credits * creditMicroUsdOf(pricing) : null
}

/** A catalog of a version before this one doesn't say. */
export const creditMicroUsdOf = (pricing: ModelCard['pricing']): number => Number(pricing?.creditMicroUsd || 10_000n)
