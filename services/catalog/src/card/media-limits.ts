import type { MessageInitShape } from '@bufbuild/protobuf'
import { FieldKind, type FieldSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { MediaKind, type MediaLimitsSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'

const mib = 1_048_576
const picture = { widthMin: 256, widthMax: 5760, heightMin: 256, heightMax: 5760, ratioMin: 0.4, ratioMax: 2.5 }

/** The contract's table for alpha, which applies to all models (decision 0401). */
const limitsOfKind = {
  [MediaKind.IMAGE]: { formats: ['jpeg', 'png', 'webp'], bytesMax: 30 * mib, ...picture },
  [MediaKind.VIDEO]: { formats: ['mp4', 'mov'], bytesMax: 50 * mib, ...picture, frameRateMin: 23.976, frameRateMax: 60 },
  [MediaKind.AUDIO]: { formats: ['mp3', 'wav'], bytesMax: 15 * mib },
}
const totalBytesMax = 256 * mib

type FieldInit = MessageInitShape<typeof FieldSchema>

/** The limits of a mode's input files. Seconds come from the mode's lists of seconds. */
export function mediaLimits(fields: FieldInit[], sumMax: Map<string, number>): MessageInitShape<typeof MediaLimitsSchema> {
  const kinds = new Map<MediaKind, object>()
  for (const field of fields) {
    if (!field.mediaKind) continue
    const seconds = fields.find(other => other.kind === FieldKind.SECONDS_LIST && other.secondsOf === field.name)
    const lengths = seconds && {
      secondsMin: Number(seconds.min),
      secondsMax: Number(seconds.max),
      secondsTotalMax: sumMax.get(seconds.name ?? '') ?? 0,
    }
    kinds.set(field.mediaKind, { kind: field.mediaKind, ...limitsOfKind[field.mediaKind as keyof typeof limitsOfKind], ...lengths })
  }
  return kinds.size === 0 ? {} : { kinds: [...kinds.values()], totalBytesMax: BigInt(totalBytesMax) }
}
