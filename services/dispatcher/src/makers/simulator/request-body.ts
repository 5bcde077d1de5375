import type { Submission } from '../connector'

const listFields = {
  reference_image_urls: 'reference_images',
  reference_video_urls: 'reference_videos',
  reference_audio_urls: 'reference_audios',
} as const

/** The simulator's words for a submission. A card's own words are the simulator's too. */
export function requestBody({ attemptId, makerModel, order, media, callbackUrl }: Submission): object {
  const frame = (field: string) => media.find(one => one.field === field)?.url
  const lists = Object.entries(listFields).flatMap(([field, name]) => {
    const urls = media.filter(one => one.field === field).sort((a, b) => a.index - b.index)
    return urls.length > 0 ? [[name, urls.map(one => one.url)]] : []
  })
  return {
    client_task_id: attemptId,
    model: makerModel,
    mode: order.mode,
    prompt: order.prompt,
    duration_seconds: order.durationSeconds,
    resolution: order.resolution,
    aspect_ratio: order.aspectRatio,
    seed: order.seed === undefined ? undefined : Number(order.seed),
    generate_audio: order.generateAudio,
    watermark: order.watermark,
    first_frame_url: frame('image_url'),
    last_frame_url: frame('end_image_url'),
    ...Object.fromEntries(lists),
    callback_url: callbackUrl,
  }
}
