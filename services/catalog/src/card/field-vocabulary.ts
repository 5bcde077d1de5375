import { FieldKind } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'

/** What the contract says of a field wherever it appears. A card narrows it; it cannot invent a field. */
export type FieldMeaning = {
  kind: FieldKind
  min?: number
  max?: number
  default?: boolean
  mediaKind?: MediaKind
  secondsOf?: string
}

const urlCharactersMax = 2048
const frame: FieldMeaning = { kind: FieldKind.URL, max: urlCharactersMax, mediaKind: MediaKind.IMAGE }
const references = (mediaKind: MediaKind): FieldMeaning => ({ kind: FieldKind.URL_LIST, max: urlCharactersMax, mediaKind })
const seconds = (secondsOf: string): FieldMeaning => ({ kind: FieldKind.SECONDS_LIST, secondsOf })

/** Every property of a generation request beside model and mode, in the order the reference shows them. */
export const fieldVocabulary: Record<string, FieldMeaning> = {
  prompt: { kind: FieldKind.TEXT, min: 1, max: 7000 },
  duration: { kind: FieldKind.INTEGER },
  resolution: { kind: FieldKind.CHOICE },
  aspect_ratio: { kind: FieldKind.CHOICE },
  image_url: frame,
  end_image_url: frame,
  reference_image_urls: references(MediaKind.IMAGE),
  reference_video_urls: references(MediaKind.VIDEO),
  reference_video_durations: seconds('reference_video_urls'),
  reference_audio_urls: references(MediaKind.AUDIO),
  reference_audio_durations: seconds('reference_audio_urls'),
  generate_audio: { kind: FieldKind.BOOLEAN, default: false },
  seed: { kind: FieldKind.INTEGER, min: 0, max: 2_147_483_647 },
  watermark: { kind: FieldKind.BOOLEAN, default: false },
  max_credits: { kind: FieldKind.INTEGER, min: 1, max: Number.MAX_SAFE_INTEGER },
}

export const modeNames = ['text-to-video', 'image-to-video', 'media-to-video'] as const
