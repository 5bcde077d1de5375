type Words = { label: string; hint?: string }

/** What a form calls a field, and what it says beside it. A field of a later card without words here is called by its name. */
const words: Record<string, Words> = {
  prompt: { label: 'Prompt', hint: 'What the video shows: the subject, what happens, the light, how the camera moves.' },
  duration: { label: 'Length', hint: 'In seconds. Most models charge by it.' },
  resolution: { label: 'Resolution', hint: 'The price depends on it.' },
  aspect_ratio: { label: 'Aspect ratio', hint: 'Width to height; adaptive follows the media.' },
  image_url: { label: 'First frame', hint: 'The picture that the video starts with.' },
  end_image_url: { label: 'Last frame', hint: 'The picture that the video ends with.' },
  reference_image_urls: { label: 'Reference pictures', hint: 'Subjects or style to take from. Not together with frames.' },
  reference_video_urls: { label: 'Reference videos', hint: 'Subjects or movement to take from. Their seconds may cost credits.' },
  reference_video_durations: { label: 'Seconds of each reference video', hint: 'In the same order, rounded up, with commas between.' },
  reference_audio_urls: { label: 'Reference sound', hint: 'Sound that the video follows.' },
  reference_audio_durations: { label: 'Seconds of each sound', hint: 'In the same order, rounded up, with commas between.' },
  generate_audio: { label: 'Make sound as well', hint: 'The price may depend on it.' },
  seed: { label: 'Seed', hint: 'The same request with the same seed gives a similar video.' },
  watermark: { label: 'Mark the picture', hint: 'The provider puts its watermark on it.' },
  max_credits: { label: 'Price limit', hint: 'Nothing is charged where the price is higher than this.' },
}

export const fieldWords = (name: string): Words =>
  words[name] ?? { label: name.replaceAll('_', ' ').replace(/^./, first => first.toUpperCase()) }

const modeWords: Record<string, Words> = {
  'text-to-video': { label: 'From text' },
  'image-to-video': { label: 'From a picture' },
  'media-to-video': { label: 'From references' },
}

export const modeLabel = (name: string): string => modeWords[name]?.label ?? name

/** Fields that few need: they stand folded away. */
export const rareFields = ['seed', 'watermark', 'max_credits']
