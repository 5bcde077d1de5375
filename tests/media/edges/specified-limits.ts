import { create } from '@bufbuild/protobuf'
import { type KindLimits, KindLimitsSchema, MediaKind, type MediaLimits, MediaLimitsSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { type SpecifiedMode, specifiedModels } from '../../catalog/models/specified-models'
import { alphaLimits } from '../support/orders'

export type SpecifiedLimits = { model: string; mode: string; limits: MediaLimits }

/**
 * The limits of every mode that takes media, from the contract's tables and the decision that all models have alpha's formats, bytes,
 * sizes and rates: nothing here is read from a card, so a wrong number in one is a failed check.
 */
export const specifiedLimits: SpecifiedLimits[] = specifiedModels.flatMap(specified =>
  Object.entries(specified.modes).flatMap(([mode, terms]) => {
    const kinds = kindsOf(terms)
    return kinds.length > 0 ? [{ model: specified.model, mode, limits: create(MediaLimitsSchema, { ...alphaLimits, kinds }) }] : []
  }),
)

function kindsOf({ references, required, optional }: SpecifiedMode): KindLimits[] {
  const frames = [...required, ...optional].some(field => field.endsWith('image_url'))
  return [
    ...(frames || references?.images ? [limitsOf(MediaKind.IMAGE)] : []),
    ...(references?.videos ? [limitsOf(MediaKind.VIDEO, references.videos)] : []),
    ...(references?.audio ? [limitsOf(MediaKind.AUDIO, references.audio)] : []),
  ]
}

function limitsOf(kind: MediaKind, [, each, secondsTotalMax]: [number, string, number] = [0, '0-0', 0]): KindLimits {
  const [secondsMin = 0, secondsMax = 0] = each.split('-').map(Number)
  const alpha = alphaLimits.kinds?.find(limits => limits.kind === kind)
  if (!alpha) throw new Error(`the contract has no limits for kind ${kind}`)
  return create(KindLimitsSchema, { ...alpha, secondsMin, secondsMax, secondsTotalMax })
}
