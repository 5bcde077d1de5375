/**
 * A generation request that its model accepts, with defaults applied and the prompt trimmed. Named as on the wire; lengths are whole seconds.
 * Only fields that the gateway reads by name are here: a request may have others of its card.
 */
export type GenerationRequest = {
  model: string
  mode: string
  prompt: string
  duration: number
  resolution: string
  aspect_ratio?: string
  image_url?: string
  end_image_url?: string
  reference_image_urls?: string[]
  reference_video_urls?: string[]
  reference_video_durations?: number[]
  reference_audio_urls?: string[]
  reference_audio_durations?: number[]
  generate_audio?: boolean
  seed?: number
  watermark?: boolean
  max_credits?: number
}
