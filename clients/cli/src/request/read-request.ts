import { usageFailure } from '../terminal/failure'

/** What `generate` and `estimate` are told of a video. */
export type RequestOptions = {
  model?: string
  mode?: string
  duration?: number
  resolution?: string
  aspectRatio?: string
  seed?: number
  generateAudio?: boolean
  watermark?: boolean
  image?: string
  endImage?: string
  referenceImage?: string[]
  referenceVideo?: string[]
  referenceAudio?: string[]
  referenceVideoDuration?: number[]
  referenceAudioDuration?: number[]
  field?: string[]
}

export type Body = Record<string, unknown>

/** The body of a request, with local paths where it will have URLs. Fields that were left out are left out. */
export function readRequest(prompt: string, options: RequestOptions): Body {
  const body: Body = {
    model: options.model,
    mode: options.mode ?? modeOf(options),
    prompt,
    duration: options.duration,
    resolution: options.resolution,
    aspect_ratio: options.aspectRatio,
    seed: options.seed,
    generate_audio: options.generateAudio,
    watermark: options.watermark,
    image_url: options.image,
    end_image_url: options.endImage,
    reference_image_urls: options.referenceImage,
    reference_video_urls: options.referenceVideo,
    reference_video_durations: options.referenceVideoDuration,
    reference_audio_urls: options.referenceAudio,
    reference_audio_durations: options.referenceAudioDuration,
  }
  for (const [name, value] of (options.field ?? []).map(readField)) body[name] = value
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

/** Frames and references never mix, so the files alone say which mode is meant. Without any, the model's default is. */
function modeOf({ image, endImage, referenceImage, referenceVideo, referenceAudio }: RequestOptions): string | undefined {
  if (referenceImage || referenceVideo || referenceAudio) return 'media-to-video'
  return image !== undefined || endImage !== undefined ? 'image-to-video' : undefined
}

/** `seed=5` is a number, `watermark=true` a boolean, `resolution=768p` a text: what is JSON is read as JSON. */
export function readField(text: string): [name: string, value: unknown] {
  const [, name, value = ''] = /^([a-z][a-z0-9_]*)=(.*)$/s.exec(text) ?? []
  if (name === undefined) throw usageFailure(`--field ${JSON.stringify(text)} is not name=value.`, 'As in --field seed=5.')
  try {
    return [name, JSON.parse(value)]
  } catch {
    return [name, value]
  }
}

/** `project=spring`, as often as there are tags. The service checks names and values. */
export function readTags(texts: string[] = []): Record<string, string> | undefined {
  const tags = texts.map(text => {
    const end = text.indexOf('=')
    if (end < 1) throw usageFailure(`--tag ${JSON.stringify(text)} is not name=value.`, 'As in --tag project=spring.')
    return [text.slice(0, end), text.slice(end + 1)] as const
  })
  const twice = tags.find(([name], index) => tags.findIndex(([other]) => other === name) < index)
  if (twice) throw usageFailure(`--tag names ${twice[0]} twice.`)
  return tags.length > 0 ? Object.fromEntries(tags) : undefined
}
