import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { type Field, FieldKind, type ModelCard, type ModelMode } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { ModelOfferSchema, UnofferedValuesSchema } from '@filmgate/proto/gen/filmgate/v1/offers_pb'
import { OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { type FieldMapping, mappingOf } from '../../providers/mapping/field-mapping'
import { orderValues } from '../../providers/mapping/order-values'
import { mediaCountMax } from '../../providers/mapping/request-fields'
import { hasEndsAlone, lackingEverywhere, nameOf, valuesOf } from '../card-values'
import { type ConfiguredRoute, takesMode } from '../routing'

export type Offer = MessageInitShape<typeof ModelOfferSchema>
type Unoffered = MessageInitShape<typeof UnofferedValuesSchema>
type Values = { choices?: string[]; integers?: bigint[]; booleans?: boolean[]; above?: bigint; below?: bigint }

/**
 * What the providers of these routes of a card can be asked for, value by value; which of these go together each order finds out. `unsold`: values that
 * are not offered though they have a mapping, as `nameOf` names them.
 */
export function offerOfCard(routes: ConfiguredRoute[], card: ModelCard, unsold: string[] = []): Offer {
  const { model } = card
  const lacking = new Set([...lackingEverywhere(routes, card), ...unsold])
  const unoffered = card.modes.flatMap(mode => unofferedInMode(routes, lacking, mode))
  const whole = unoffered.filter(({ field }) => field === undefined)
  return routes.length === 0 || whole.length === card.modes.length ? { model, available: false } : { model, available: true, unoffered }
}

/** What every order says, an empty one too, so that a mode of which no value of these has a mapping can't be asked for. */
const alwaysSaid = new Set(orderValues(create(OrderSchema)).map(({ field }) => field))

function unofferedInMode(routes: ConfiguredRoute[], lacking: ReadonlySet<string>, mode: ModelMode): Unoffered[] {
  const whole = { mode: mode.name }
  if (lacking.has(`mode ${mode.name}`)) return [whole]
  const own = routes.filter(route => takesMode(route, mode.name))
  const faults = mode.fields.flatMap(field => {
    const values = valuesOf(mode.name, field)
    const without = values.filter(value => lacking.has(nameOf(value)))
    if (without.length === 0) return []
    const partly =
      without.length < values.length || hasEndsAlone(field)
        ? partOf(field, without.flatMap(plainValues), mappingsOf(own, field))
        : undefined
    return [{ field, named: { mode: mode.name, field: field.name, ...partly }, entirely: partly === undefined }]
  })
  const impossible = faults.some(({ field, entirely }) => entirely && (field.required || field.default || alwaysSaid.has(field.name)))
  return impossible ? [whole] : faults.map(({ named }) => named)
}

const plainValues = (one: ReturnType<typeof valuesOf>[number]) => ('value' in one ? [one.value] : [])

const mappingsOf = (routes: ConfiguredRoute[], field: Field): FieldMapping[] =>
  routes.flatMap(({ fields }) => mappingOf(fields, field.name) ?? [])

/** The values of a field that no mapping has, where another value has one; undefined where none has. */
function partOf(field: Field, without: (string | number | boolean)[], mappings: FieldMapping[]): Values | undefined {
  if (field.kind === FieldKind.TEXT)
    return mappings.length > 0 ? { above: highest(mappings.map(mapping => mapping.characters_max)) } : undefined
  if (field.kind === FieldKind.URL_LIST) {
    const above = highest(mappings.map(mediaCountMax))
    return above > 0n ? { above } : undefined
  }
  if (hasEndsAlone(field)) return partOfRange(field, mappings)
  const of = <T>(kind: string) => without.filter(value => typeof value === kind) as T[]
  return { choices: of<string>('string'), integers: of<number>('number').map(BigInt), booleans: of<boolean>('boolean') }
}

function partOfRange(field: Field, mappings: FieldMapping[]): Values | undefined {
  const ranges = mappings.filter(({ values }) => values === undefined)
  if (ranges.length === 0) return undefined
  const above = highest(ranges.map(({ max = Number(field.max) }) => max))
  const below = BigInt(Math.min(...ranges.map(({ min = Number(field.min) }) => min)))
  return { ...(above < (field.max ?? 0n) && { above }), ...(below > (field.min ?? 0n) && { below }) }
}

/** A bound that is missing at one is none at all, and then nothing would be lacking. */
const highest = (bounds: (number | undefined)[]): bigint => BigInt(Math.max(0, ...bounds.map(bound => bound ?? 0)))
