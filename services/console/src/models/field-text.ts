type FieldText = { label: string; hint?: string }

/** The labels and hints of fields. A field of a newer card without an entry is labelled with its name. */
const fieldTexts: Record<string, FieldText> = {
  prompt: { label: 'Prompt', hint: 'What the video shows: the subject, what happens, the light, how the camera moves.' },
  duration: { label: 'Length', hint: 'In seconds. Most models charge by it.' },
  resolution: { label: 'Resolution', hint: 'The price depends on it.' },
  aspect_ratio: { label: 'Aspect ratio', hint: 'Width to height; adaptive follows the media.' },
  image_url: { label: 'First frame', hint: 'The image that the video starts with.' },
  end_image_url: { label: 'Last frame', hint: 'The image that the video ends with.' },
  reference_image_urls: { label: 'Reference images', hint: 'Images for subjects or style. Not together with frames.' },
  reference_video_urls: { label: 'Reference videos', hint: 'Videos for subjects or movement. Their seconds may cost credits.' },
  reference_video_durations: { label: 'Seconds of each reference video', hint: 'In the same order, rounded up, separated by commas.' },
  reference_audio_urls: { label: 'Reference audio', hint: 'Audio that the video follows.' },
  reference_audio_durations: { label: 'Seconds of each audio file', hint: 'In the same order, rounded up, separated by commas.' },
  generate_audio: { label: 'Generate audio', hint: 'The price may depend on it.' },
  seed: { label: 'Seed', hint: 'The same request with the same seed gives a similar video.' },
  watermark: { label: 'Watermark', hint: 'The provider adds its watermark.' },
  max_credits: { label: 'Price limit', hint: 'The request is rejected if the price is higher.' },
}

export const fieldText = (name: string): FieldText =>
  fieldTexts[name] ?? { label: name.replaceAll('_', ' ').replace(/^./, first => first.toUpperCase()) }

const modeTexts: Record<string, FieldText> = {
  'text-to-video': { label: 'From text' },
  'image-to-video': { label: 'From an image' },
  'media-to-video': { label: 'From references' },
}

export const modeLabel = (name: string): string => modeTexts[name]?.label ?? name

/** Rarely used fields, collapsed under “More settings”. */
export const rareFields = ['seed', 'watermark', 'max_credits']
