import { requestOf } from '../engine/fields'
import type { Form } from './forms'

type Input = Record<string, unknown>

/** What fal's models call the same thing. The first that an input has is meant. */
const names = {
  first: ['image_url', 'start_image_url', 'first_frame_url', 'first_image_url'],
  last: ['end_image_url', 'last_frame_url', 'tail_image_url'],
  images: ['reference_image_urls', 'image_urls'],
  videos: ['reference_video_urls', 'video_urls', 'video_url'],
  audios: ['reference_audio_urls', 'audio_urls', 'audio_url'],
  sound: ['generate_audio', 'audio', 'generate_audio_switch'],
} as const

/** Resolutions that a model's name says and its input doesn't. */
const resolutions: [RegExp, string][] = [
  [/hailuo.*\/standard\//, '768p'],
  [/\/4k\//, '4k'],
  [/\/standard\//, '720p'],
  [/\/pro\/|\/o1\//, '1080p'],
]

/** Models that make sound without a field for it. */
const soundAlways = /^(fal-ai\/wan-25-preview|wan\/v2\.6)\//

/** Of a model whose output is as long as its input video, which nobody measures here. */
const secondsUnsaid = 5

/** A checked input as the simulator's own request; its `client_task_id` is made up, because fal takes none. */
export function readInput(endpoint: string, form: Form, given: Input, callbackUrl?: string) {
  const defaults = Object.fromEntries(
    Object.entries(form).flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
  )
  const input: Input = { ...defaults, ...given }
  const firstOf = (fields: readonly string[], type: string) => fields.map(name => input[name]).find(value => typeof value === type)
  const first = firstOf(names.first, 'string') as string | undefined
  return requestOf({
    client_task_id: `fal_${crypto.randomUUID()}`,
    model: endpoint.slice(0, 100),
    prompt: typeof input.prompt === 'string' ? input.prompt : undefined,
    duration_seconds: secondsOf(input.duration),
    resolution: resolutionOf(endpoint, input.resolution),
    aspect_ratio: ratioOf(input.aspect_ratio, first !== undefined),
    seed: typeof input.seed === 'number' ? input.seed : undefined,
    generate_audio: (firstOf(names.sound, 'boolean') as boolean | undefined) ?? (soundAlways.test(endpoint) ? true : undefined),
    first_frame_url: first,
    last_frame_url: firstOf(names.last, 'string') as string | undefined,
    reference_images: manyOf(input, names.images),
    reference_videos: manyOf(input, names.videos),
    reference_audios: manyOf(input, names.audios),
    callback_url: callbackUrl,
  })
}

function manyOf(input: Input, fields: readonly string[]): string[] {
  const found = fields.map(name => input[name]).find(value => value !== undefined)
  return (Array.isArray(found) ? found : [found]).filter(value => typeof value === 'string')
}

/** `5`, `"5"` or `"8s"`. */
function secondsOf(duration: unknown): number {
  const seconds = Number(String(duration ?? '').replace(/s$/, ''))
  return Number.isInteger(seconds) && seconds > 0 ? seconds : secondsUnsaid
}

const resolutionOf = (endpoint: string, resolution: unknown): string =>
  typeof resolution === 'string' ? resolution.toLowerCase() : (resolutions.find(([pattern]) => pattern.test(endpoint))?.[1] ?? '720p')

function ratioOf(ratio: unknown, hasFrame: boolean): string {
  if (typeof ratio !== 'string') return hasFrame ? 'adaptive' : '16:9'
  return ratio === 'auto' ? 'adaptive' : ratio
}
