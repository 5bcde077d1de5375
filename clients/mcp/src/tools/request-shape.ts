import type { VideoGenerationRequest } from '@filmgate/client'
import { z } from 'zod'

const url = z.string().max(2048).describe('An https URL that anyone can fetch.')
const seconds = z.array(z.int()).describe('The length of each file in the same order, in whole seconds rounded up.')

/**
 * The fields of a request, over all models: describe_model says which of them a model takes, and the API refuses others.
 * A field that is missing here does not compile.
 */
export const requestShape = {
  model: z.string().describe('A model of list_models, such as alpha-h3.'),
  prompt: z.string().min(1).max(7000).describe('What the video shows.'),
  mode: z
    .enum(['text-to-video', 'image-to-video', 'media-to-video'])
    .optional()
    .describe('Left out: text-to-video, or what the given media mean: a first frame, or references.'),
  duration: z.int().optional().describe('Seconds. Most models charge by it.'),
  resolution: z.string().optional().describe('As the model names it, such as 768p. The price depends on it.'),
  aspect_ratio: z.string().optional().describe('Such as 16:9; adaptive follows the given media.'),
  image_url: url.optional().describe('The picture that the video starts with: an https URL that anyone can fetch.'),
  end_image_url: url.optional().describe('The picture that the video ends with.'),
  reference_image_urls: z.array(url).optional().describe('Pictures that the video takes its subjects or its style from.'),
  reference_video_urls: z.array(url).optional().describe('Videos that the video takes its subjects or its movement from.'),
  reference_video_durations: seconds.optional(),
  reference_audio_urls: z.array(url).optional().describe('Sound that the video follows.'),
  reference_audio_durations: seconds.optional(),
  generate_audio: z.boolean().optional().describe('Whether sound is made as well. The price may depend on it.'),
  seed: z.int().optional().describe('Makes a result easier to repeat.'),
  watermark: z.boolean().optional(),
} satisfies Record<Exclude<keyof VideoGenerationRequest, 'max_credits'>, z.ZodType>

const request = z.strictObject(requestShape)
export type RequestArguments = z.infer<typeof request>

/** The body of the request. A mode that is left out follows the media, which the API asks to be named. */
export function requestOf(given: RequestArguments): VideoGenerationRequest {
  const { mode = modeOf(given), ...fields } = given
  const set = Object.entries(fields).filter(([, value]) => value !== undefined)
  // The API checks what a model takes, in words that an agent can act on.
  return { ...Object.fromEntries(set), ...(mode && { mode }) } as unknown as VideoGenerationRequest
}

function modeOf({ image_url, end_image_url, ...given }: RequestArguments): RequestArguments['mode'] {
  if (given.reference_video_urls?.length || given.reference_audio_urls?.length || given.reference_image_urls?.length)
    return 'media-to-video'
  return image_url || end_image_url ? 'image-to-video' : undefined
}
