import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { type InputMediaSchema, MediaKind, type MediaLimitsSchema, type Order, OrderSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { uuidv7 } from 'uuidv7'

const mib = 1_048_576
const picture = { widthMin: 256, widthMax: 5760, heightMin: 256, heightMax: 5760, ratioMin: 0.4, ratioMax: 2.5 }
const lengths = { secondsMin: 2, secondsMax: 15, secondsTotalMax: 15 }

/** The alpha table of the contract. */
export const alphaLimits: MessageInitShape<typeof MediaLimitsSchema> = {
  kinds: [
    { kind: MediaKind.IMAGE, formats: ['jpeg', 'png', 'webp'], bytesMax: BigInt(30 * mib), ...picture },
    {
      kind: MediaKind.VIDEO,
      formats: ['mp4', 'mov'],
      bytesMax: BigInt(50 * mib),
      ...picture,
      frameRateMin: 23.976,
      frameRateMax: 60,
      ...lengths,
    },
    { kind: MediaKind.AUDIO, formats: ['mp3', 'wav'], bytesMax: BigInt(15 * mib), ...lengths },
  ],
  totalBytesMax: BigInt(256 * mib),
}

export const fields = {
  [MediaKind.UNSPECIFIED]: '',
  [MediaKind.IMAGE]: 'reference_image_urls',
  [MediaKind.VIDEO]: 'reference_video_urls',
  [MediaKind.AUDIO]: 'reference_audio_urls',
}

export type Input = { kind: MediaKind; url: string; declaredSeconds?: number }

export type OrderInput = {
  inputs: Input[]
  limits?: MessageInitShape<typeof MediaLimitsSchema> | undefined
  accountId?: string
  /** From now. */
  admitForMs?: number
}

/** A reserved order for media-to-video, as the ledger sends it on. */
export function orderOf({ inputs, limits = alphaLimits, accountId = `acc_${uuidv7()}`, admitForMs = 250_000 }: OrderInput): Order {
  const counts = new Map<MediaKind, number>()
  const now = Date.now()
  return create(OrderSchema, {
    taskId: `vt_${uuidv7().replaceAll('-', '').slice(0, 26)}`,
    accountId,
    model: 'alpha-h3',
    mode: 'media-to-video',
    prompt: 'a test',
    durationSeconds: 5,
    resolution: '768p',
    aspectRatio: 'adaptive',
    credits: 40n,
    inputs: inputs.map(({ kind, url, declaredSeconds = 0 }): MessageInitShape<typeof InputMediaSchema> => {
      const index = counts.get(kind) ?? 0
      counts.set(kind, index + 1)
      return { kind, field: fields[kind], index, url, declaredSeconds }
    }),
    mediaLimits: limits,
    createdAt: timestampFromDate(new Date(now)),
    admitBy: timestampFromDate(new Date(now + admitForMs)),
  })
}
