import type { GenerationRequest } from '../generation/generation'
import type { Body } from './forms'

/**
 * A checked body as the simulator's own request, with xAI's defaults (xai-sdk 1.21.0, video.py); its `client_task_id` is made up, because xAI
 * takes none. The ratio of a video that begins with a picture is the picture's.
 */
export function readRequest(body: Body): GenerationRequest {
  const { model, prompt = '', duration = 8, resolution = '480p', aspect_ratio: ratio = '16:9', image, reference_images: references } = body
  return {
    client_task_id: `xai_${crypto.randomUUID()}`,
    model,
    mode: references ? 'media-to-video' : image ? 'image-to-video' : 'text-to-video',
    prompt: prompt === '' ? 'no prompt' : prompt,
    duration_seconds: duration,
    resolution,
    aspect_ratio: image ? 'adaptive' : ratio,
    ...(image && { first_frame_url: image.url }),
    ...(references && { reference_images: references.map(({ url }) => url) }),
  }
}
