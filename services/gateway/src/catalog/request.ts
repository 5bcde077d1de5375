/** A generation request that its model accepts, with defaults applied and the prompt trimmed. Named as on the wire; lengths are whole seconds. */
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

/** One thing wrong with a body. `path` is empty for the body itself, else like `duration` or `reference_image_urls[2]`. */
export type Issue = { path: string; rule: string; message: string }

/** A body while it is being looked at. */
export type Values = Record<string, unknown>

/** More are not listed: a body of nothing but faults must not be answered with a longer one. */
export const issuesMax = 100
