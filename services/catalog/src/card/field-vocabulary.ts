import { FieldKind } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'

/** What the contract says of a field wherever it appears. A card narrows it; it cannot invent a field. */
export type FieldDefinition = {
  kind: FieldKind
  /** For the reader of the reference; the only place where a field is explained. */
  meaning: string
  min?: number
  max?: number
  default?: boolean
  mediaKind?: MediaKind
  secondsOf?: string
  /** What `capabilities` of `GET /models` calls a model that has it. */
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

/** Every property of a generation request beside model and mode, in the order the reference shows them. */
export const fieldVocabulary: Record<string, FieldDefinition> = {
  prompt: {
    kind: FieldKind.TEXT,
    meaning: 'What the video shows, in words. Trimmed before it is counted, in Unicode code points, and sent on.',
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
