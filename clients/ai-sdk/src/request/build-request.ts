import type { Experimental_VideoModelV4CallOptions, Experimental_VideoModelV4File, SharedV4Warning } from '@ai-sdk/provider'
import { ratioOf, resolutionOf } from './frame-size.ts'
import type { ModeCard, ModelCard } from './model-card.ts'

export type Native = Record<string, unknown>
/** A file's https URL; bytes are uploaded first. */
export type UrlOfFile = (file: Experimental_VideoModelV4File) => Promise<string>
export type Built = { request: Native; warnings: SharedV4Warning[] }

type CallOptions = Experimental_VideoModelV4CallOptions
type Input = { modelId: string; card: ModelCard | undefined; options: CallOptions; native: Native; urlOf: UrlOfFile }

/** A field of the request under the AI SDK's name for it. `read` is called only where the model takes the field. */
type Setting = { field: string; feature: string; read: () => unknown; warning?: SharedV4Warning | undefined }

/**
 * The request that the AI SDK's settings mean to a model, by its card. What the model lacks is left out with a warning. A wrong value of a
 * field that it has is sent: the API refuses it, charges nothing and says what the model takes. Native fields win.
 */
export async function buildRequest({ modelId, card, options, native, urlOf }: Input): Promise<Built> {
  const mode = typeof native.mode === 'string' ? native.mode : modeOf(options, card)
  const modeCard = card?.modes.get(mode)
  const warnings = callWarnings(options)
  const request: Native = { model: modelId, ...(options.prompt !== undefined && { prompt: options.prompt }), mode }
  for (const { field, feature, read, warning } of [
    ...frameSettings(options, modeCard),
    ...plainSettings(options),
    ...mediaSettings(options, urlOf),
  ]) {
    if (Object.hasOwn(native, field)) continue
    if (modeCard && !modeCard.fields.includes(field)) {
      warnings.push(unsupported(feature, `${modelId} does not take it in ${mode}. It was left out.`))
      continue
    }
    if (warning) warnings.push(warning)
    const value = await read()
    if (value !== undefined) request[field] = value
  }
  return { request: { ...request, ...native }, warnings }
}

/** A model without media-to-video may take references in another mode. */
function modeOf({ image, frameImages = [], inputReferences = [] }: CallOptions, card: ModelCard | undefined): string {
  if (inputReferences.length > 0) {
    if (!card || card.modes.has('media-to-video')) return 'media-to-video'
    for (const [name, mode] of card.modes) if (referenceFields.some(field => mode.fields.includes(field))) return name
  }
  return image || frameImages.length > 0 ? 'image-to-video' : 'text-to-video'
}

function plainSettings({ duration, seed, generateAudio }: CallOptions): Setting[] {
  const settings = { duration: ['duration', duration], seed: ['seed', seed], generate_audio: ['generateAudio', generateAudio] } as const
  return Object.entries(settings).flatMap(([field, [feature, value]]) => (value === undefined ? [] : { field, feature, read: () => value }))
}

/** Resolution and ratio. `1280x720` says both, unless the ratio is given by itself or follows the media. */
function frameSettings({ resolution: size, aspectRatio }: CallOptions, mode: ModeCard | undefined): Setting[] {
  const settings: Setting[] = []
  const ratios = mode?.choices('aspect_ratio') ?? []
  if (size !== undefined) {
    const found = resolutionOf(size, mode?.choices('resolution') ?? [])
    const warning = found && !found.exact ? nearest(size, found.name) : undefined
    settings.push({ field: 'resolution', feature: 'resolution', read: () => found?.name ?? size, warning })
  }
  if (ratios.length > 0 && ratios.every(ratio => ratio === 'adaptive')) {
    const warning = unsupported('aspectRatio', 'The ratio follows the picture.')
    if (aspectRatio && aspectRatio !== 'adaptive')
      settings.push({ field: 'aspect_ratio', feature: 'aspectRatio', read: () => undefined, warning })
  } else if (aspectRatio || (size !== undefined && ratios.length > 0)) {
    const ratio = aspectRatio ?? ratioOf(size ?? '', ratios)
    const warning = ratio
      ? undefined
      : unsupported('resolution', `No ratio of the model is that of ${size}: it takes ${ratios.join(', ')}.`)
    settings.push({ field: 'aspect_ratio', feature: 'aspectRatio', read: () => ratio, warning })
  }
  return settings
}

const referenceFields = ['reference_image_urls', 'reference_video_urls', 'reference_audio_urls'] as const

function mediaSettings({ image, frameImages = [], inputReferences = [] }: CallOptions, urlOf: UrlOfFile): Setting[] {
  const settings: Setting[] = []
  const frameOf = (type: 'first_frame' | 'last_frame') => frameImages.find(({ frameType }) => frameType === type)?.image
  const first = frameOf('first_frame') ?? image
  const last = frameOf('last_frame')
  if (first) settings.push({ field: 'image_url', feature: 'image', read: () => urlOf(first) })
  if (last) settings.push({ field: 'end_image_url', feature: 'frameImages', read: () => urlOf(last) })
  for (const field of referenceFields) {
    const files = inputReferences.filter(file => referenceField(file.mediaType) === field)
    if (files.length > 0) settings.push({ field, feature: 'inputReferences', read: () => Promise.all(files.map(urlOf)) })
  }
  return settings
}

/** A URL of unknown type is a picture, as elsewhere in the AI SDK. */
function referenceField(mediaType = 'image/*'): (typeof referenceFields)[number] {
  if (mediaType.startsWith('video/')) return 'reference_video_urls'
  return mediaType.startsWith('audio/') ? 'reference_audio_urls' : 'reference_image_urls'
}

const unsupported = (feature: string, details: string): SharedV4Warning => ({ type: 'unsupported', feature, details })

const nearest = (size: string, name: string): SharedV4Warning => ({
  type: 'compatibility',
  feature: 'resolution',
  details: `The model has no ${size}. Its nearest resolution is used, ${name}, at the price of that.`,
})

function callWarnings({ fps, n }: CallOptions): SharedV4Warning[] {
  return [
    ...(fps === undefined ? [] : [unsupported('fps', 'Each model has a frame rate of its own.')]),
    ...(n > 1 ? [unsupported('n', 'A call makes one video. Leave maxVideosPerCall out, and the AI SDK makes a call for each.')] : []),
  ]
}
