import type { Submission } from '../connector'
import type { FieldMappings } from '../mapping/field-mapping'
import { requestFields } from '../mapping/request-fields'

/** What the simulator takes (services/simulator/src/generation/). A value of a card without a mapping here is never sent to it. */
export const simulatorFields: FieldMappings = {
  mode: { field: 'mode', values: ['text-to-video', 'image-to-video', 'media-to-video'] },
  prompt: { field: 'prompt', characters_max: 14_000 },
  duration: { field: 'duration_seconds', min: 1, max: 60 },
  resolution: {
    field: 'resolution',
    values: ['360p', '480p', '512p', '540p', '720p', '768p', 'hd', '1080p', 'fhd', '2k', '4k'],
  },
  aspect_ratio: { field: 'aspect_ratio', pattern: /^([1-9]\d?:[1-9]\d?|adaptive)$/ },
  seed: 'seed',
  generate_audio: 'generate_audio',
  watermark: 'watermark',
  image_url: 'first_frame_url',
  end_image_url: 'last_frame_url',
  reference_image_urls: { field: 'reference_images', items_max: 30 },
  reference_video_urls: { field: 'reference_videos', items_max: 10 },
  reference_audio_urls: { field: 'reference_audios', items_max: 10 },
}

/** A submission in the simulator's own format. */
export const requestBody = ({ attemptId, providerModel, order, mapping, media, callbackUrl }: Submission): object => ({
  client_task_id: attemptId,
  model: providerModel,
  mode: order.mode,
  ...requestFields(mapping, order, media),
  callback_url: callbackUrl,
})
