import { FieldKind } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'

/** The contract's definition of a field. A card can narrow it, but can't add fields. */
export type FieldDefinition = {
  kind: FieldKind
  /** Shown in the reference; the only explanation of a field. */
  meaning: string
  min?: number
  max?: number
  default?: boolean
  mediaKind?: MediaKind
  secondsOf?: string
  /** Its name in `capabilities` of `GET /models`. */
  capability?: string
}

const urlCharactersMax = 2048
const frame = (meaning: string): FieldDefinition => ({ kind: FieldKind.URL, meaning, max: urlCharactersMax, mediaKind: MediaKind.IMAGE })
const references = (mediaKind: MediaKind, capability: string, meaning: string): FieldDefinition => ({
  kind: FieldKind.URL_LIST,
  meaning,
  max: urlCharactersMax,
  mediaKind,
  capability,
})
const seconds = (secondsOf: string): FieldDefinition => ({
  kind: FieldKind.SECONDS_LIST,
  meaning: `The length of each file of ${secondsOf}, in the same order, in whole seconds rounded up. Required with it; the decoded files must agree.`,
  secondsOf,
})

/** All fields of a generation request except model and mode, in the reference's order. */
export const fieldVocabulary: Record<string, FieldDefinition> = {
  prompt: {
    kind: FieldKind.TEXT,
    meaning:
      'What the video shows, in words, not in invisible characters alone. Trimmed before it is counted, in Unicode code points, and sent on.',
    min: 1,
    max: 7000,
  },
  duration: { kind: FieldKind.INTEGER, meaning: 'How long the video is, in whole seconds. Most models charge by it.' },
  resolution: { kind: FieldKind.CHOICE, meaning: 'The size of the picture, as the model names it. The price depends on it.' },
  aspect_ratio: {
    kind: FieldKind.CHOICE,
    meaning: 'Width to height of the picture; adaptive leaves it to the model, which follows the media it is given.',
  },
  image_url: frame('The picture that the video starts with: an https URL that anyone can fetch.'),
  end_image_url: { ...frame('The picture that the video ends with: an https URL that anyone can fetch.'), capability: 'end_frame' },
  reference_image_urls: references(
    MediaKind.IMAGE,
    'reference_images',
    'Pictures that the video takes its subjects or its style from. Not beside frames.',
  ),
  reference_video_urls: references(
    MediaKind.VIDEO,
    'reference_videos',
    'Videos that the video takes its subjects or its movement from. Their seconds may cost credits. Not beside frames.',
  ),
  reference_video_durations: seconds('reference_video_urls'),
  reference_audio_urls: references(MediaKind.AUDIO, 'reference_audio', 'Sound that the video follows. Not beside frames.'),
  reference_audio_durations: seconds('reference_audio_urls'),
  generate_audio: {
    kind: FieldKind.BOOLEAN,
    meaning: 'Whether the model makes sound as well. The price may depend on it.',
    default: false,
    capability: 'generated_audio',
  },
  seed: {
    kind: FieldKind.INTEGER,
    meaning: 'A number that makes a result easier to repeat: the same request with the same seed gives a similar video.',
    min: 0,
    max: 2_147_483_647,
    capability: 'seed',
  },
  watermark: { kind: FieldKind.BOOLEAN, meaning: 'Whether the provider marks the picture.', default: false, capability: 'watermark' },
  max_credits: {
    kind: FieldKind.INTEGER,
    meaning: 'The most that this may cost. Where the price is higher the request is refused before anything is charged.',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  },
}

export const modeNames = ['text-to-video', 'image-to-video', 'media-to-video'] as const
