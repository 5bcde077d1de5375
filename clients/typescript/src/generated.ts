// Generated from the OpenAPI document by `bun run clients generate`: change the API, not this file.

/** The fields of requests and what they mean. Models and modes take some of them, and narrow their values. */
export interface RequestFields {
  /**
   * What the video shows, in words, not in invisible characters alone. Trimmed before it is counted, in Unicode code
   * points, and sent on.
   */
  prompt: string
  /** How long the video is, in whole seconds. Most models charge by it. */
  duration?: number
  /** The size of the picture, as the model names it. The price depends on it. */
  resolution?: string
  /** Width to height of the picture; adaptive leaves it to the model, which follows the media it is given. */
  aspect_ratio?: string
  /** The most that this may cost. Where the price is higher the request is refused before anything is charged. */
  max_credits?: number
  /** The picture that the video starts with: an https URL that anyone can fetch. */
  image_url?: string
  /** The picture that the video ends with: an https URL that anyone can fetch. */
  end_image_url?: string
  /** Pictures that the video takes its subjects or its style from. Not beside frames. */
  reference_image_urls?: readonly string[]
  /**
   * Videos that the video takes its subjects or its movement from. Their seconds may cost credits. Not beside frames.
   */
  reference_video_urls?: readonly string[]
  /**
   * The length of each file of reference_video_urls, in the same order, in whole seconds rounded up. Required with
   * it; the decoded files must agree.
   */
  reference_video_durations?: readonly number[]
  /** Sound that the video follows. Not beside frames. */
  reference_audio_urls?: readonly string[]
  /**
   * The length of each file of reference_audio_urls, in the same order, in whole seconds rounded up. Required with
   * it; the decoded files must agree.
   */
  reference_audio_durations?: readonly number[]
  /** A number that makes a result easier to repeat: the same request with the same seed gives a similar video. */
  seed?: number
  /** Whether the provider marks the picture. Default: false. */
  watermark?: boolean
  /** Whether the model makes sound as well. The price may depend on it. Default: false. */
  generate_audio?: boolean
}

/** Exactly these fields. */
type Takes<Names extends keyof RequestFields> = Pick<RequestFields, Names> & { [Name in Exclude<keyof RequestFields, Names>]?: never }

/**
 * alpha-h3, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface AlphaH3TextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'max_credits'> {
  model: 'alpha-h3'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 768p. */
  resolution?: '768p' | '2k'
  /** Default: 16:9 in text-to-video, adaptive in image-to-video and media-to-video. */
  aspect_ratio?: '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16'
}

/**
 * alpha-h3, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface AlphaH3ImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'alpha-h3'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 768p. */
  resolution?: '768p' | '2k'
  /** Default: 16:9 in text-to-video, adaptive in image-to-video and media-to-video. */
  aspect_ratio?: 'adaptive'
  image_url: string
}

interface AlphaH3MediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'max_credits' | 'reference_image_urls' | 'reference_video_urls' | 'reference_video_durations' | 'reference_audio_urls' | 'reference_audio_durations'> {
  model: 'alpha-h3'
  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 768p. */
  resolution?: '768p' | '2k'
  /** Default: 16:9 in text-to-video, adaptive in image-to-video and media-to-video. */
  aspect_ratio?: '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | 'adaptive'
}

/**
 * alpha-h3, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points; reference_image_urls, reference_video_urls and reference_audio_urls must have at most 12 items
 * together; reference_video_durations must have as many items as reference_video_urls; the sum of
 * reference_video_durations must be at most 15; reference_audio_durations must have as many items as
 * reference_audio_urls; the sum of reference_audio_durations must be at most 15.
 */
export type AlphaH3MediaToVideo = AlphaH3MediaToVideoFields &
  (
    | { reference_image_urls: readonly string[] }
    | { reference_video_urls: readonly string[] }
    | { reference_audio_urls: readonly string[] }
  ) &
  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; reference_video_durations: readonly number[] }
  ) &
  (
    | { reference_audio_urls?: never; reference_audio_durations?: never }
    | { reference_audio_urls: readonly string[]; reference_audio_durations: readonly number[] }
  ) &
  (
    | { reference_audio_urls?: never; reference_audio_durations?: never }
    | { reference_audio_urls: readonly string[]; reference_image_urls: readonly string[] }
    | { reference_audio_urls: readonly string[]; reference_video_urls: readonly string[] }
  )

/** A video by alpha-h3. */
export type AlphaH3Request = AlphaH3TextToVideo | AlphaH3ImageToVideo | AlphaH3MediaToVideo

/**
 * alpha-h3-fast, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface AlphaH3FastTextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'max_credits'> {
  model: 'alpha-h3-fast'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 768p. */
  resolution?: '480p' | '768p'
  /** Default: 16:9. */
  aspect_ratio?: '16:9' | '9:16' | '1:1'
}

/**
 * alpha-h3-fast, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface AlphaH3FastImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'alpha-h3-fast'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 768p. */
  resolution?: '480p' | '768p'
  /** Default: 16:9. */
  aspect_ratio?: '16:9' | '9:16' | '1:1'
  image_url: string
  end_image_url: string
}

interface AlphaH3FastMediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'max_credits' | 'reference_image_urls' | 'reference_video_urls' | 'reference_video_durations' | 'reference_audio_urls' | 'reference_audio_durations'> {
  model: 'alpha-h3-fast'
  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 768p. */
  resolution?: '480p' | '768p'
  /** Default: 16:9. */
  aspect_ratio?: '16:9' | '9:16' | '1:1'
}

/**
 * alpha-h3-fast, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points; reference_image_urls, reference_video_urls and reference_audio_urls must have at most 12
 * items together; reference_video_durations must have as many items as reference_video_urls; the sum of
 * reference_video_durations must be at most 15; reference_audio_durations must have as many items as
 * reference_audio_urls; the sum of reference_audio_durations must be at most 15.
 */
export type AlphaH3FastMediaToVideo = AlphaH3FastMediaToVideoFields &
  (
    | { reference_image_urls: readonly string[] }
    | { reference_video_urls: readonly string[] }
    | { reference_audio_urls: readonly string[] }
  ) &
  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; reference_video_durations: readonly number[] }
  ) &
  (
    | { reference_audio_urls?: never; reference_audio_durations?: never }
    | { reference_audio_urls: readonly string[]; reference_audio_durations: readonly number[] }
  ) &
  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15; resolution?: '768p' }
  )

/** A video by alpha-h3-fast. */
export type AlphaH3FastRequest = AlphaH3FastTextToVideo | AlphaH3FastImageToVideo | AlphaH3FastMediaToVideo

/**
 * alpha-h3-max, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface AlphaH3MaxTextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'max_credits'> {
  model: 'alpha-h3-max'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 768p. */
  resolution?: '480p' | '768p'
  /** Default: 16:9 in text-to-video, adaptive in image-to-video. */
  aspect_ratio?: '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16'
}

/**
 * alpha-h3-max, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface AlphaH3MaxImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'alpha-h3-max'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 768p. */
  resolution?: '480p' | '768p'
  /** Default: 16:9 in text-to-video, adaptive in image-to-video. */
  aspect_ratio?: 'adaptive'
  image_url: string
}

/** A video by alpha-h3-max. */
export type AlphaH3MaxRequest = AlphaH3MaxTextToVideo | AlphaH3MaxImageToVideo

/**
 * beta-1.0-lite, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface Beta10LiteTextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'reference_image_urls' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'beta-1.0-lite'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * beta-1.0-lite, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface Beta10LiteImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits' | 'image_url'> {
  model: 'beta-1.0-lite'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

/** A video by beta-1.0-lite. */
export type Beta10LiteRequest = Beta10LiteTextToVideo | Beta10LiteImageToVideo

/**
 * beta-1.0-pro, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Beta10ProTextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'reference_image_urls' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'beta-1.0-pro'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * beta-1.0-pro, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface Beta10ProImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'beta-1.0-pro'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

/** A video by beta-1.0-pro. */
export type Beta10ProRequest = Beta10ProTextToVideo | Beta10ProImageToVideo

/**
 * beta-1.5-pro, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Beta15ProTextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'reference_image_urls' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'beta-1.5-pro'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * beta-1.5-pro, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface Beta15ProImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'beta-1.5-pro'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

/** A video by beta-1.5-pro. */
export type Beta15ProRequest = Beta15ProTextToVideo | Beta15ProImageToVideo

/**
 * beta-2.0, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Beta20TextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'beta-2.0'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * beta-2.0, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Beta20ImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'beta-2.0'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

interface Beta20MediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'reference_image_urls' | 'reference_video_urls' | 'reference_video_durations' | 'reference_audio_urls' | 'reference_audio_durations'> {
  model: 'beta-2.0'
  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * beta-2.0, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
 * reference_video_durations must be at most 15; reference_audio_durations must have as many items as
 * reference_audio_urls; the sum of reference_audio_durations must be at most 15.
 */
export type Beta20MediaToVideo = Beta20MediaToVideoFields &
  (
    | { reference_image_urls: readonly string[] }
    | { reference_video_urls: readonly string[] }
    | { reference_audio_urls: readonly string[] }
  ) &
  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; reference_video_durations: readonly number[] }
  ) &
  (
    | { reference_audio_urls?: never; reference_audio_durations?: never }
    | { reference_audio_urls: readonly string[]; reference_audio_durations: readonly number[] }
  )

/** A video by beta-2.0. */
export type Beta20Request = Beta20TextToVideo | Beta20ImageToVideo | Beta20MediaToVideo

/**
 * beta-2.0-fast, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface Beta20FastTextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits'> {
  model?: 'beta-2.0-fast'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * beta-2.0-fast, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface Beta20FastImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model?: 'beta-2.0-fast'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

interface Beta20FastMediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'reference_image_urls' | 'reference_video_urls' | 'reference_video_durations' | 'reference_audio_urls' | 'reference_audio_durations'> {
  model?: 'beta-2.0-fast'
  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * beta-2.0-fast, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
 * reference_video_durations must be at most 15; reference_audio_durations must have as many items as
 * reference_audio_urls; the sum of reference_audio_durations must be at most 15.
 */
export type Beta20FastMediaToVideo = Beta20FastMediaToVideoFields &
  (
    | { reference_image_urls: readonly string[] }
    | { reference_video_urls: readonly string[] }
    | { reference_audio_urls: readonly string[] }
  ) &
  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; reference_video_durations: readonly number[] }
  ) &
  (
    | { reference_audio_urls?: never; reference_audio_durations?: never }
    | { reference_audio_urls: readonly string[]; reference_audio_durations: readonly number[] }
  )

/** A video by beta-2.0-fast. */
export type Beta20FastRequest = Beta20FastTextToVideo | Beta20FastImageToVideo | Beta20FastMediaToVideo

/**
 * beta-2.0-mini, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface Beta20MiniTextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'beta-2.0-mini'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * beta-2.0-mini, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface Beta20MiniImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'beta-2.0-mini'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

interface Beta20MiniMediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'reference_image_urls' | 'reference_video_urls' | 'reference_video_durations' | 'reference_audio_urls' | 'reference_audio_durations'> {
  model: 'beta-2.0-mini'
  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * beta-2.0-mini, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
 * reference_video_durations must be at most 15; reference_audio_durations must have as many items as
 * reference_audio_urls; the sum of reference_audio_durations must be at most 15.
 */
export type Beta20MiniMediaToVideo = Beta20MiniMediaToVideoFields &
  (
    | { reference_image_urls: readonly string[] }
    | { reference_video_urls: readonly string[] }
    | { reference_audio_urls: readonly string[] }
  ) &
  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; reference_video_durations: readonly number[] }
  ) &
  (
    | { reference_audio_urls?: never; reference_audio_durations?: never }
    | { reference_audio_urls: readonly string[]; reference_audio_durations: readonly number[] }
  )

/** A video by beta-2.0-mini. */
export type Beta20MiniRequest = Beta20MiniTextToVideo | Beta20MiniImageToVideo | Beta20MiniMediaToVideo

/**
 * beta-2.5, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Beta25TextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'beta-2.5'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * beta-2.5, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Beta25ImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'beta-2.5'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

interface Beta25MediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'reference_image_urls' | 'reference_video_urls' | 'reference_video_durations' | 'reference_audio_urls' | 'reference_audio_durations'> {
  model: 'beta-2.5'
  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * beta-2.5, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
 * reference_video_durations must be at most 30; reference_audio_durations must have as many items as
 * reference_audio_urls; the sum of reference_audio_durations must be at most 30.
 */
export type Beta25MediaToVideo = Beta25MediaToVideoFields &
  (
    | { reference_image_urls: readonly string[] }
    | { reference_video_urls: readonly string[] }
    | { reference_audio_urls: readonly string[] }
  ) &
  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; reference_video_durations: readonly number[] }
  ) &
  (
    | { reference_audio_urls?: never; reference_audio_durations?: never }
    | { reference_audio_urls: readonly string[]; reference_audio_durations: readonly number[] }
  )

/** A video by beta-2.5. */
export type Beta25Request = Beta25TextToVideo | Beta25ImageToVideo | Beta25MediaToVideo

/**
 * delta-2.6, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Delta26TextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'reference_image_urls' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'delta-2.6'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 5 | 10
  /** Default: 720p. */
  resolution?: '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

interface Delta26ImageToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'delta-2.6'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 5 | 10
  /** Default: 720p. */
  resolution?: '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

/**
 * delta-2.6, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export type Delta26ImageToVideo = Delta26ImageToVideoFields &
  (
    | { end_image_url?: never }
    | { end_image_url: string; resolution: '1080p'; generate_audio?: false }
  )

/** A video by delta-2.6. */
export type Delta26Request = Delta26TextToVideo | Delta26ImageToVideo

/**
 * delta-3.0, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Delta30TextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'reference_image_urls' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'delta-3.0'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '720p' | '1080p' | '4k'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * delta-3.0, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Delta30ImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'delta-3.0'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '720p' | '1080p' | '4k'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

/** A video by delta-3.0. */
export type Delta30Request = Delta30TextToVideo | Delta30ImageToVideo

/**
 * delta-3.0-turbo, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface Delta30TurboTextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'reference_image_urls' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'delta-3.0-turbo'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * delta-3.0-turbo, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming,
 * counted as Unicode code points.
 */
export interface Delta30TurboImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits' | 'image_url'> {
  model: 'delta-3.0-turbo'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

/** A video by delta-3.0-turbo. */
export type Delta30TurboRequest = Delta30TurboTextToVideo | Delta30TurboImageToVideo

interface DeltaMotionControlMediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'reference_image_urls' | 'reference_video_urls' | 'reference_video_durations' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'delta-motion-control'
  mode: 'media-to-video'
  /** Left out it is the sum of reference_video_durations. */
  duration?: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30
  /** Default: 720p. */
  resolution?: '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  reference_image_urls: readonly string[]
  reference_video_urls: readonly string[]
  reference_video_durations: readonly number[]
}

/**
 * delta-motion-control, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming,
 * counted as Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum
 * of reference_video_durations must be at most 30; duration must be the sum of reference_video_durations.
 */
export type DeltaMotionControlMediaToVideo = DeltaMotionControlMediaToVideoFields &
  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; reference_video_durations: readonly number[] }
  )

/**
 * A video by delta-motion-control. The character image goes into reference_image_urls, the motion video into
 * reference_video_urls. The output is as long as the motion video, and its length is what is billed.
 */
export type DeltaMotionControlRequest = DeltaMotionControlMediaToVideo

/**
 * delta-v3-omni, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface DeltaV3OmniTextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'delta-v3-omni'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '720p' | '1080p' | '4k'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * delta-v3-omni, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface DeltaV3OmniImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'delta-v3-omni'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '720p' | '1080p' | '4k'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

interface DeltaV3OmniMediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'reference_image_urls' | 'reference_video_urls' | 'reference_video_durations'> {
  model: 'delta-v3-omni'
  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '720p' | '1080p' | '4k'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * delta-v3-omni, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
 * reference_video_durations must be at most 10.
 */
export type DeltaV3OmniMediaToVideo = DeltaV3OmniMediaToVideoFields &
  (
    | { reference_image_urls: readonly string[] }
    | { reference_video_urls: readonly string[] }
  ) &
  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; reference_video_durations: readonly number[] }
  )

/** A video by delta-v3-omni. */
export type DeltaV3OmniRequest = DeltaV3OmniTextToVideo | DeltaV3OmniImageToVideo | DeltaV3OmniMediaToVideo

/**
 * delta-video-o1, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface DeltaVideoO1TextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'delta-video-o1'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 5 | 10
  /** Default: 720p. */
  resolution?: '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * delta-video-o1, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface DeltaVideoO1ImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'delta-video-o1'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 5 | 10
  /** Default: 720p. */
  resolution?: '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

interface DeltaVideoO1MediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits' | 'reference_image_urls' | 'reference_video_urls' | 'reference_video_durations'> {
  model: 'delta-video-o1'
  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 5 | 10
  /** Default: 720p. */
  resolution?: '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * delta-video-o1, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
 * reference_video_durations must be at most 10.
 */
export type DeltaVideoO1MediaToVideo = DeltaVideoO1MediaToVideoFields &
  (
    | { reference_image_urls: readonly string[] }
    | { reference_video_urls: readonly string[] }
  ) &
  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; reference_video_durations: readonly number[] }
  )

/** A video by delta-video-o1. */
export type DeltaVideoO1Request = DeltaVideoO1TextToVideo | DeltaVideoO1ImageToVideo | DeltaVideoO1MediaToVideo

/**
 * epsilon-1.5, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Epsilon15TextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'epsilon-1.5'
  mode?: 'text-to-video'
  /** Default: 6. */
  duration?: 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '480p' | '720p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * epsilon-1.5, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Epsilon15ImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits' | 'image_url'> {
  model: 'epsilon-1.5'
  mode: 'image-to-video'
  /** Default: 6. */
  duration?: 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '480p' | '720p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

/**
 * epsilon-1.5, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Epsilon15MediaToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits' | 'reference_image_urls'> {
  model: 'epsilon-1.5'
  mode: 'media-to-video'
  /** Default: 6. */
  duration?: 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '480p' | '720p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  reference_image_urls: readonly string[]
}

/** A video by epsilon-1.5. */
export type Epsilon15Request = Epsilon15TextToVideo | Epsilon15ImageToVideo | Epsilon15MediaToVideo

/**
 * eta-2.5, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Eta25TextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'eta-2.5'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 5 | 10
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * eta-2.5, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Eta25ImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'image_url'> {
  model: 'eta-2.5'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 5 | 10
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

interface Eta25MediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'reference_image_urls' | 'reference_audio_urls' | 'reference_audio_durations'> {
  model: 'eta-2.5'
  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 5 | 10
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * eta-2.5, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points; reference_audio_durations must have as many items as reference_audio_urls; the sum of
 * reference_audio_durations must be at most 10.
 */
export type Eta25MediaToVideo = Eta25MediaToVideoFields &
  (
    | { reference_image_urls: readonly string[] }
    | { reference_audio_urls: readonly string[] }
  ) &
  (
    | { reference_audio_urls?: never; reference_audio_durations?: never }
    | { reference_audio_urls: readonly string[]; reference_audio_durations: readonly number[] }
  )

/** A video by eta-2.5. */
export type Eta25Request = Eta25TextToVideo | Eta25ImageToVideo | Eta25MediaToVideo

/**
 * eta-2.6, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Eta26TextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'eta-2.6'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 5 | 10 | 15
  /** Default: 720p. */
  resolution?: '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * eta-2.6, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Eta26ImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'image_url'> {
  model: 'eta-2.6'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 5 | 10 | 15
  /** Default: 720p. */
  resolution?: '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

interface Eta26MediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'reference_image_urls' | 'reference_audio_urls' | 'reference_audio_durations'> {
  model: 'eta-2.6'
  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 5 | 10 | 15
  /** Default: 720p. */
  resolution?: '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * eta-2.6, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points; reference_audio_durations must have as many items as reference_audio_urls; the sum of
 * reference_audio_durations must be at most 15.
 */
export type Eta26MediaToVideo = Eta26MediaToVideoFields &
  (
    | { reference_image_urls: readonly string[] }
    | { reference_audio_urls: readonly string[] }
  ) &
  (
    | { reference_audio_urls?: never; reference_audio_durations?: never }
    | { reference_audio_urls: readonly string[]; reference_audio_durations: readonly number[] }
  )

/** A video by eta-2.6. */
export type Eta26Request = Eta26TextToVideo | Eta26ImageToVideo | Eta26MediaToVideo

/**
 * eta-2.7, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Eta27TextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'eta-2.7'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * eta-2.7, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Eta27ImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'eta-2.7'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

interface Eta27MediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits' | 'reference_image_urls' | 'reference_video_urls' | 'reference_video_durations' | 'reference_audio_urls' | 'reference_audio_durations'> {
  model: 'eta-2.7'
  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * eta-2.7, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
 * reference_video_durations must be at most 10; reference_audio_durations must have as many items as
 * reference_audio_urls; the sum of reference_audio_durations must be at most 30.
 */
export type Eta27MediaToVideo = Eta27MediaToVideoFields &
  (
    | { reference_image_urls: readonly string[] }
    | { reference_video_urls: readonly string[] }
    | { reference_audio_urls: readonly string[] }
  ) &
  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; reference_video_durations: readonly number[] }
  ) &
  (
    | { reference_audio_urls?: never; reference_audio_durations?: never }
    | { reference_audio_urls: readonly string[]; reference_audio_durations: readonly number[] }
  )

/** A video by eta-2.7. */
export type Eta27Request = Eta27TextToVideo | Eta27ImageToVideo | Eta27MediaToVideo

/**
 * eta-3.0, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Eta30TextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'eta-3.0'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '1:1' | 'adaptive'
}

/**
 * eta-3.0, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Eta30ImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'eta-3.0'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '1:1' | 'adaptive'
  image_url: string
}

interface Eta30MediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'reference_image_urls' | 'reference_video_urls' | 'reference_video_durations' | 'reference_audio_urls' | 'reference_audio_durations'> {
  model: 'eta-3.0'
  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30
  /** Default: 720p. */
  resolution?: '480p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '1:1' | 'adaptive'
}

/**
 * eta-3.0, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
 * reference_video_durations must be at most 15; reference_audio_durations must have as many items as
 * reference_audio_urls; the sum of reference_audio_durations must be at most 15; duration plus the sum of
 * reference_video_durations must be at most 30.
 */
export type Eta30MediaToVideo = Eta30MediaToVideoFields &
  (
    | { reference_image_urls: readonly string[] }
    | { reference_video_urls: readonly string[] }
    | { reference_audio_urls: readonly string[] }
  ) &
  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; reference_video_durations: readonly number[] }
  ) &
  (
    | { reference_audio_urls?: never; reference_audio_durations?: never }
    | { reference_audio_urls: readonly string[]; reference_audio_durations: readonly number[] }
  )

/** A video by eta-3.0. */
export type Eta30Request = Eta30TextToVideo | Eta30ImageToVideo | Eta30MediaToVideo

/**
 * gamma-3.1-fast, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface Gamma31FastTextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'gamma-3.1-fast'
  mode?: 'text-to-video'
  /** Default: 8. */
  duration?: 8
  /** Default: 720p. */
  resolution?: '720p' | '1080p' | '4k'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * gamma-3.1-fast, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface Gamma31FastImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'gamma-3.1-fast'
  mode: 'image-to-video'
  /** Default: 8. */
  duration?: 8
  /** Default: 720p. */
  resolution?: '720p' | '1080p' | '4k'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

/**
 * gamma-3.1-fast, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface Gamma31FastMediaToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits' | 'reference_image_urls'> {
  model: 'gamma-3.1-fast'
  mode: 'media-to-video'
  /** Default: 8. */
  duration?: 8
  /** Default: 720p. */
  resolution?: '720p' | '1080p' | '4k'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  reference_image_urls: readonly string[]
}

/** A video by gamma-3.1-fast. */
export type Gamma31FastRequest = Gamma31FastTextToVideo | Gamma31FastImageToVideo | Gamma31FastMediaToVideo

/**
 * iota-q3-turbo, text-to-video. Not in the type: prompt must have from 1 to 2000 characters after trimming, counted
 * as Unicode code points.
 */
export interface IotaQ3TurboTextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'reference_image_urls' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'iota-q3-turbo'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16
  /** Default: 720p. */
  resolution?: '540p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '1:1'
}

/**
 * iota-q3-turbo, image-to-video. Not in the type: prompt must have from 1 to 2000 characters after trimming, counted
 * as Unicode code points.
 */
export interface IotaQ3TurboImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'iota-q3-turbo'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16
  /** Default: 720p. */
  resolution?: '540p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '1:1'
  image_url: string
}

/** A video by iota-q3-turbo. */
export type IotaQ3TurboRequest = IotaQ3TurboTextToVideo | IotaQ3TurboImageToVideo

interface Kappa02TextToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'reference_image_urls' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'kappa-02'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 5 | 10
  /** Default: 512p. */
  resolution?: '512p' | '768p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * kappa-02, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export type Kappa02TextToVideo = Kappa02TextToVideoFields &
  (
    | { resolution?: '512p' | '768p' }
    | { resolution: '1080p'; duration?: 5 }
  )

interface Kappa02ImageToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'kappa-02'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 5 | 10
  /** Default: 512p. */
  resolution?: '512p' | '768p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

/**
 * kappa-02, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export type Kappa02ImageToVideo = Kappa02ImageToVideoFields &
  (
    | { resolution?: '512p' | '768p' }
    | { resolution: '1080p'; duration?: 5 }
  )

/** A video by kappa-02. */
export type Kappa02Request = Kappa02TextToVideo | Kappa02ImageToVideo

interface Kappa23TextToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'reference_image_urls' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'kappa-2.3'
  mode?: 'text-to-video'
  /** Default: 6. */
  duration?: 6 | 10
  /** Default: 768p. */
  resolution?: '768p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * kappa-2.3, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export type Kappa23TextToVideo = Kappa23TextToVideoFields &
  (
    | { resolution?: '768p' }
    | { resolution: '1080p'; duration?: 6 }
  )

interface Kappa23ImageToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'seed' | 'watermark' | 'max_credits' | 'image_url'> {
  model: 'kappa-2.3'
  mode: 'image-to-video'
  /** Default: 6. */
  duration?: 6 | 10
  /** Default: 768p. */
  resolution?: '768p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

/**
 * kappa-2.3, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export type Kappa23ImageToVideo = Kappa23ImageToVideoFields &
  (
    | { resolution?: '768p' }
    | { resolution: '1080p'; duration?: 6 }
  )

/** A video by kappa-2.3. */
export type Kappa23Request = Kappa23TextToVideo | Kappa23ImageToVideo

interface Kappa23FastImageToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'image_url' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'kappa-2.3-fast'
  mode: 'image-to-video'
  /** Default: 6. */
  duration?: 6 | 10
  /** Default: 768p. */
  resolution?: '768p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

/**
 * kappa-2.3-fast, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export type Kappa23FastImageToVideo = Kappa23FastImageToVideoFields &
  (
    | { resolution?: '768p' }
    | { resolution: '1080p'; duration?: 6 }
  )

/** A video by kappa-2.3-fast. */
export type Kappa23FastRequest = Kappa23FastImageToVideo

/**
 * lambda-v6, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface LambdaV6TextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'lambda-v6'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '360p' | '540p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

interface LambdaV6ImageToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'lambda-v6'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '360p' | '540p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

/**
 * lambda-v6, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export type LambdaV6ImageToVideo = LambdaV6ImageToVideoFields &
  (
    | { end_image_url?: never }
    | { end_image_url: string; duration?: 5 | 8 }
  )

/**
 * lambda-v6, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface LambdaV6MediaToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'reference_image_urls'> {
  model: 'lambda-v6'
  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15
  /** Default: 720p. */
  resolution?: '360p' | '540p' | '720p' | '1080p'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  reference_image_urls: readonly string[]
}

/** A video by lambda-v6. */
export type LambdaV6Request = LambdaV6TextToVideo | LambdaV6ImageToVideo | LambdaV6MediaToVideo

/**
 * theta-omni-1.1-flash, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming,
 * counted as Unicode code points.
 */
export interface ThetaOmni11FlashTextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'watermark' | 'max_credits'> {
  model: 'theta-omni-1.1-flash'
  mode?: 'text-to-video'
  /** Default: 10. */
  duration?: 10
  /** Default: 720p. */
  resolution?: '360p' | '720p' | '1080p' | '4k'
  aspect_ratio?: '16:9' | '9:16'
}

/**
 * theta-omni-1.1-flash, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming,
 * counted as Unicode code points.
 */
export interface ThetaOmni11FlashImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'theta-omni-1.1-flash'
  mode: 'image-to-video'
  /** Default: 10. */
  duration?: 10
  /** Default: 720p. */
  resolution?: '360p' | '720p' | '1080p' | '4k'
  aspect_ratio?: '16:9' | '9:16'
  image_url: string
}

interface ThetaOmni11FlashMediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'watermark' | 'max_credits' | 'reference_image_urls' | 'reference_video_urls' | 'reference_video_durations'> {
  model: 'theta-omni-1.1-flash'
  mode: 'media-to-video'
  /** Default: 10. */
  duration?: 10
  /** Default: 720p. */
  resolution?: '360p' | '720p' | '1080p' | '4k'
  aspect_ratio?: '16:9' | '9:16'
}

/**
 * theta-omni-1.1-flash, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming,
 * counted as Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum
 * of reference_video_durations must be at most 10.
 */
export type ThetaOmni11FlashMediaToVideo = ThetaOmni11FlashMediaToVideoFields &
  (
    | { reference_image_urls: readonly string[] }
    | { reference_video_urls: readonly string[] }
  ) &
  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; reference_video_durations: readonly number[] }
  )

/**
 * A video by theta-omni-1.1-flash. Billed per generation as a fixed 10-second unit; the length of the output is
 * automatic.
 */
export type ThetaOmni11FlashRequest = ThetaOmni11FlashTextToVideo | ThetaOmni11FlashImageToVideo | ThetaOmni11FlashMediaToVideo

/**
 * zeta-3-video, text-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted as
 * Unicode code points.
 */
export interface Zeta3VideoTextToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits'> {
  model: 'zeta-3-video'
  mode?: 'text-to-video'
  /** Default: 5. */
  duration?: 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20
  /** Default: hd. */
  resolution?: 'hd' | 'fhd'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * zeta-3-video, image-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points.
 */
export interface Zeta3VideoImageToVideo
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'image_url' | 'end_image_url'> {
  model: 'zeta-3-video'
  mode: 'image-to-video'
  /** Default: 5. */
  duration?: 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20
  /** Default: hd. */
  resolution?: 'hd' | 'fhd'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
  image_url: string
}

interface Zeta3VideoMediaToVideoFields
  extends Takes<'prompt' | 'duration' | 'resolution' | 'aspect_ratio' | 'generate_audio' | 'seed' | 'watermark' | 'max_credits' | 'reference_image_urls' | 'reference_video_urls' | 'reference_video_durations'> {
  model: 'zeta-3-video'
  mode: 'media-to-video'
  /** Default: 5. */
  duration?: 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20
  /** Default: hd. */
  resolution?: 'hd' | 'fhd'
  aspect_ratio?: '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '21:9' | '1:1' | 'adaptive'
}

/**
 * zeta-3-video, media-to-video. Not in the type: prompt must have from 1 to 7000 characters after trimming, counted
 * as Unicode code points; reference_video_durations must have as many items as reference_video_urls; the sum of
 * reference_video_durations must be at most 20.
 */
export type Zeta3VideoMediaToVideo = Zeta3VideoMediaToVideoFields &
  (
    | { reference_image_urls: readonly string[] }
    | { reference_video_urls: readonly string[] }
  ) &
  (
    | { reference_video_urls?: never; reference_video_durations?: never }
    | { reference_video_urls: readonly string[]; reference_video_durations: readonly number[] }
  )

/** A video by zeta-3-video. */
export type Zeta3VideoRequest = Zeta3VideoTextToVideo | Zeta3VideoImageToVideo | Zeta3VideoMediaToVideo

/** Every model with its requests. */
interface Requests {
  'alpha-h3': AlphaH3Request
  'alpha-h3-fast': AlphaH3FastRequest
  'alpha-h3-max': AlphaH3MaxRequest
  'beta-1.0-lite': Beta10LiteRequest
  'beta-1.0-pro': Beta10ProRequest
  'beta-1.5-pro': Beta15ProRequest
  'beta-2.0': Beta20Request
  'beta-2.0-fast': Beta20FastRequest
  'beta-2.0-mini': Beta20MiniRequest
  'beta-2.5': Beta25Request
  'delta-2.6': Delta26Request
  'delta-3.0': Delta30Request
  'delta-3.0-turbo': Delta30TurboRequest
  'delta-motion-control': DeltaMotionControlRequest
  'delta-v3-omni': DeltaV3OmniRequest
  'delta-video-o1': DeltaVideoO1Request
  'epsilon-1.5': Epsilon15Request
  'eta-2.5': Eta25Request
  'eta-2.6': Eta26Request
  'eta-2.7': Eta27Request
  'eta-3.0': Eta30Request
  'gamma-3.1-fast': Gamma31FastRequest
  'iota-q3-turbo': IotaQ3TurboRequest
  'kappa-02': Kappa02Request
  'kappa-2.3': Kappa23Request
  'kappa-2.3-fast': Kappa23FastRequest
  'lambda-v6': LambdaV6Request
  'theta-omni-1.1-flash': ThetaOmni11FlashRequest
  'zeta-3-video': Zeta3VideoRequest
}

export type ModelId = keyof Requests
/** The requests of one model. */
export type RequestOf<M extends ModelId> = Requests[M]
/** What to generate: `model` and `mode` choose the shape. */
export type VideoGenerationRequest = Requests[ModelId]

/** The size of a picture. Each model names those it takes. */
export type Resolution = '768p' | '2k' | '480p' | '720p' | '1080p' | '4k' | '540p' | '512p' | '360p' | 'hd' | 'fhd'

/** Width to height of a picture. Each model names those it takes. */
export type AspectRatio = '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | 'adaptive' | '3:2' | '2:3' | '2:1'

/** One generation: what was asked, what became of it and what it cost. */
export type VideoTask = {
  /** Names the task. The id is opaque: at most 120 letters, digits, `-` and `_`. */
  id: string
  status: TaskStatus
  /** The model that makes the video. */
  model: string
  mode: Mode
  /** The credits that were reserved. Net cost is credits_used minus credits_refunded. */
  credits_used: number
  /** The credits that came back: all of them where the task failed, a part where less was delivered than ordered. */
  credits_refunded: number
  /** The video; null until the task is completed. */
  output: VideoOutput | null
  /** Why the task failed; null for every other status. */
  error: TaskError | null
  /** When the task was accepted. */
  created_at: string
  /** When anything about the task last changed. */
  updated_at: string
  /** What became of the credits. Missing until the reservation is known. */
  billing_status?: BillingStatus
}

/** Where the finished video is. */
export type VideoOutput = {
  /**
   * An MP4 in managed storage, kept for 30 days. Not a private link: whoever holds it can fetch the video. Keep a
   * copy of your own. Saved, it is named after the task.
   */
  video_url: string
}

/** For programs. Every code is explained under Errors. */
export type TaskErrorCode = 'media_unreachable' | 'media_forbidden_address' | 'media_too_large' | 'media_type_unsupported' | 'media_dimensions' | 'media_frame_rate' | 'media_duration' | 'media_duration_mismatch' | 'media_corrupt' | 'prompt_rejected' | 'generation_unavailable' | 'cancelled' | 'generation_failed' | 'output_moderated' | 'output_unavailable'

/** Why a task failed. The credits come back. */
export type TaskError = {
  /** For programs. Every code is explained under Errors. */
  code: TaskErrorCode
  /** For people. The words may change. */
  message: string
}

/** A step of a task. Ignore types that you do not know: more may be added. */
export type TaskEvent = {
  /** Which event of its task it is, counted from 1: what to send as Last-Event-ID. */
  id: string
  type: TaskEventType
  /** When it happened. */
  at: string
  /** running: how far the video is, where the provider tells it. Never less than before. */
  percent?: number
  /** running: the place in the provider's queue, as the provider counts, where it tells it. */
  position?: number
  /** queued, completed: the credits that were reserved. */
  credits_used?: number
  /** completed, refunded: the credits that came back. */
  credits_refunded?: number
  /** completed: where the video is. */
  video_url?: string
  /** failed: why. */
  error?: TaskError
}

/**
 * queued: credits are held. accepted: a provider makes the video. running: how far it is. copying: it is copied to
 * managed storage. in_review: whether there will be a video is not known yet. completed: it is there and paid.
 * failed: there is none. refunded: the credits are back.
 */
export type TaskEventType = 'queued' | 'accepted' | 'running' | 'copying' | 'in_review' | 'completed' | 'failed' | 'refunded'

/** What happened to a task so far, oldest first. */
export type TaskEventList = {
  /** Always `list`. */
  object: 'list'
  /** The events. */
  data: TaskEvent[]
}

/** A page of tasks, newest first. */
export type VideoTaskList = {
  /** Always `list`. */
  object: 'list'
  /** The rows of this page. */
  data: VideoTask[]
  /** Whether there are further rows. */
  has_more: boolean
  /** What to send as `cursor` for the next page; null on the last. */
  next_cursor: string | null
}

/**
 * processing: being made, or not yet known. completed: the video is in managed storage. failed: there is no video and
 * the credits come back.
 */
export type TaskStatus = 'processing' | 'completed' | 'failed'

/**
 * reserved: held. settled: paid, the video was delivered; where it is less than ordered, credits_refunded has the
 * part that came back. refund_pending, refunded: on the way back, or back. review: whether the provider took the
 * generation is not known yet, and the credits stay held until it is.
 */
export type BillingStatus = 'reserved' | 'settled' | 'refunded' | 'refund_pending' | 'review'

/**
 * text-to-video: from words alone. image-to-video: from a first frame, with some models also a last. media-to-video:
 * from reference images, videos and sound.
 */
export type Mode = 'text-to-video' | 'image-to-video' | 'media-to-video'

/** Its media type. */
export type NewUploadType = 'image/jpeg' | 'image/png' | 'image/webp' | 'video/mp4' | 'video/quicktime' | 'audio/mpeg' | 'audio/mp3' | 'audio/wav' | 'audio/x-wav' | 'audio/wave' | 'audio/vnd.wave'

/** A file that will be uploaded. */
export type NewUpload = {
  /** Its media type. */
  type: NewUploadType
  /** Its exact length. */
  bytes: number
}

/** Where to put a file, and the URL that requests name it by. */
export type OpenedUpload = {
  /** Names the upload. */
  id: string
  /** Takes the file by PUT for 15 minutes, without an API key. Whoever holds it can upload: keep it to yourself. */
  put_url: string
  /** Headers that the PUT needs exactly. */
  put_headers: Record<string, string>
  /** The input URL for requests of this account. Nothing else can fetch it. */
  url: string
  /** When it is deleted. */
  expires_at: string
}

/**
 * waiting: the file has not arrived, or is not checked yet. accepted: it is a sound file of its kind. refused: no
 * request can use it, and issue says why.
 */
export type UploadStatus = 'waiting' | 'accepted' | 'refused'

/** What became of an upload. */
export type Upload = {
  /** Names the upload. */
  id: string
  /**
   * waiting: the file has not arrived, or is not checked yet. accepted: it is a sound file of its kind. refused: no
   * request can use it, and issue says why.
   */
  status: UploadStatus
  /** Why it was refused. */
  issue?: UploadIssue
  /** When it is deleted. */
  expires_at: string
}

/** What is wrong with a file. */
export type UploadIssue = {
  /** For programs: a code of errors that begins with `media_`. */
  code: string
  /** For people. The words may change. */
  message: string
}

/** What the API may spend. */
export type CreditBalance = {
  /** Paid credits that nothing holds. */
  available_credits: number
  /** Always `paid`: starter credits never fund the API. */
  balance_type: 'paid'
}

/** The key that asks. */
export type ApiKey = {
  /** Names the key; it stays when the key is rotated. */
  key_id: string
  /** How the key begins. It is no secret. */
  prefix: string
  /** What the key is for. */
  name: string
  /** When the key was made. */
  created_at: string
  /** When the key ends; null for never. */
  expires_at: string | null
  limits: ApiKeyLimits
  spend: ApiKeySpend
  /** The caps that its requests are held to: its own, then those of its account. Empty where there is none. */
  budgets: ApiKeyBudget[]
}

/** What the key may do. */
export type ApiKeyLimits = {
  /** Requests in a minute. */
  requests_per_minute: number
  /** Unfinished tasks that its account may have. */
  unfinished_tasks: number
  /**
   * The only models it may ask for; null for all. Another is 400 `invalid_request` with an issue of the rule
   * `key_models`, in estimate and creation.
   */
  models: string[] | null
  /** The only addresses and ranges (CIDR) it works from; null for all. From another it is 401 `invalid_api_key`. */
  addresses: string[] | null
}

/** Credits taken for the key’s tasks, less those that came back. */
export type ApiKeySpend = {
  /** Of today. */
  today_credits: number
  /** Of this month. */
  month_credits: number
}

/** Whose cap: of the key, or of its account with all keys and the console. */
export type ApiKeyBudgetBudget = 'key' | 'account'

/** What is capped; days and months are those of the account’s time zone. */
export type ApiKeyBudgetPeriod = 'total' | 'day' | 'month'

/**
 * A cap in credits. What it has spent and left may lag behind for a moment; a request is decided by what holds then.
 */
export type ApiKeyBudget = {
  /** Whose cap: of the key, or of its account with all keys and the console. */
  budget: ApiKeyBudgetBudget
  /** What is capped; days and months are those of the account’s time zone. */
  period: ApiKeyBudgetPeriod
  /** The cap; 0 refuses every request. */
  max_credits: number
  /** What is spent of it, less refunds of what the same period spent. */
  spent_credits: number
  /** A request above it is 402 `budget_exceeded`. */
  left_credits: number
  /** When it begins anew; null for a total, which never does. */
  resets_at: string | null
}

/** What a request would cost now. A generation of the same request reserves and charges the same number. */
export type Estimate = {
  /** The price, rounded up once. */
  credits: number
  /** The price book that the price is from. */
  price_version: string
  /** What the price is made of. */
  breakdown: PriceLine[]
  /** The request with defaults applied and the prompt trimmed. */
  request: VideoGenerationRequest
  /**
   * Whether a provider of the model is configured here; where it is false, a generation is refused before anything is
   * reserved.
   */
  available: boolean
  /** Whether the price is at most max_credits; true where the request has none. */
  within_max_credits: boolean
  /** Whether the paid balance covers the price. */
  sufficient_credits: boolean
  /** The paid balance. */
  available_credits: number
}

/** One line of a price. */
export type PriceLine = {
  item: PriceItem
  /** How many units. */
  quantity: number
  unit: PriceUnit
  /** Credits for one unit. */
  rate: number
  /** What the line adds to the rounded-up total; the lines sum to it. */
  credits: number
}

/** output: the video that is made. input_video: the reference videos. */
export type PriceItem = 'output' | 'input_video'

/** What one unit is: a second, or a whole generation. */
export type PriceUnit = 'second' | 'generation'

/** One movement of credits. */
export type UsageRecord = {
  /** When the credits moved. */
  created_at: string
  /** The task; null for a grant or a debit, and for what was spent in the console. */
  task_id: string | null
  /** The id of a grant or a debit; null for a task. */
  change_id: string | null
  kind: UsageKind
  /** The model; null where there is no task_id. */
  model: string | null
  /** The mode; null where there is no task_id. */
  mode: Mode | null
  /** The resolution; null where there is no task_id. */
  resolution: string | null
  /**
   * Seconds of output that the credits are for; breakdown has the reference videos too. 0 for a refund of a part, and
   * where there is no task_id.
   */
  billed_seconds: number
  /** Negative where credits were taken, positive where they came back or were given. */
  credits: number
  /** The paid balance after it: that of the record before it in time, plus these credits. */
  balance_after: number
  /** The price book of the charge; null where there is no task_id. */
  price_version: string | null
  /**
   * The lines that the credits are the sum of, as an estimate tells them; null for a refund of a part, and where
   * there is no task_id. JSON in a cell of CSV.
   */
  breakdown: PriceLine[] | null
  /** Where the generation was asked for; null for a grant or a debit. */
  surface: UsageSurface | null
  /** The API key that asked; null where there is no task_id, and where it is not known any more. */
  key_id: string | null
  /** The tags of the task; null where it has none. As Filmgate-Tags has them in a cell of CSV. */
  tags: Tags | null
}

/** Values by name, as Filmgate-Tags had them. */
export type Tags = Record<string, string>

/**
 * reservation: taken for a task. refund: came back from one, all or a part. grant, debit: given or taken by the
 * service.
 */
export type UsageKind = 'reservation' | 'refund' | 'grant' | 'debit'

/**
 * api: by this API. web: in the console, by a member of the account; the record has the paid credits that moved, and
 * nothing of the task.
 */
export type UsageSurface = 'api' | 'web'

/** A page of usage records, newest first. */
export type UsageList = {
  /** Always `list`. */
  object: 'list'
  /** The rows of this page. */
  data: UsageRecord[]
  /** Whether there are further rows. */
  has_more: boolean
  /** What to send as `cursor` for the next page; null on the last. */
  next_cursor: string | null
}

/** Usage, summed. */
export type UsageSummary = {
  /** Always `list`. */
  object: 'list'
  /** The first moment that is counted. */
  from: string
  /** The first moment that is no longer counted. */
  to: string
  /** A row for each day and model that has any, or for each of what `by` names. */
  data: UsageDay[]
}

/** What one model cost on one day, or the console; or what one of `by` names. */
export type UsageDay = {
  /** The day in UTC; with `by` only where it is named. */
  day?: string
  /** The model; null for the paid credits that were spent in the console. With `by` only where it is named. */
  model?: string | null
  /** The API key; null for the console. Where `by` names key. */
  key_id?: string | null
  /** name=value; null for what has no tag of that name. Where `by` names tag:NAME. */
  tag?: string | null
  /** Generations that were charged. */
  generations: number
  /** Generations whose credits came back, all or a part. */
  refunds: number
  /** Seconds whose credits were kept, all or a part; 0 for the console. */
  billed_seconds: number
  /** Credits taken. */
  credits_used: number
  /** Credits that came back. */
  credits_refunded: number
  /** credits_used minus credits_refunded. */
  credits_net: number
}

/** Every model of the catalog. */
export type ModelList = {
  /** Always `list`. */
  object: 'list'
  /** Changes with every card, price and offer. */
  version: string
  /** The price book in force. */
  price_version: string
  /** The models. */
  data: Model[]
}

/**
 * What may be asked of one model here, and what that costs: modes, fields and values that no configured provider has
 * are left out.
 */
export type Model = {
  /** What a request names as `model`. */
  id: string
  /** Always `model`. */
  object: 'model'
  /** The family of the model. */
  family: string
  /** Whether this is the model of a request that names none. */
  default: boolean
  /**
   * Whether a provider of it is configured here. Where it is false, a generation is refused before anything is
   * reserved.
   */
  available: boolean
  /** The mode of a request that names none; null where a request must name one. */
  default_mode: string | null
  /** Words such as `seed`, `generated_audio`, `end_frame` and `reference_videos`. */
  capabilities: string[]
  /** Sentences for people. */
  notes: string[]
  /** Changes with anything about the model but its price. */
  card_version: string
  modes: ModelModes
  /** What JSON Schema cannot say, for a program to evaluate. */
  rules: ModelRule[]
  pricing: Pricing
}

/** The modes of a model by their names. */
export type ModelModes = {
  /** What text-to-video takes; missing where the model has no such mode. */
  'text-to-video'?: ModelMode
  /** What image-to-video takes; missing where the model has no such mode. */
  'image-to-video'?: ModelMode
  /** What media-to-video takes; missing where the model has no such mode. */
  'media-to-video'?: ModelMode
}

/** What one mode of a model takes. */
export type ModelMode = {
  /** Properties that a request must have. */
  required: string[]
  /** Properties that a request may have beside model and mode. */
  fields: string[]
  /** What its files may be; null where it takes none. */
  media_limits: MediaLimits | null
  /** JSON Schema 2020-12 of a request in this mode: what the server checks by. */
  schema: Record<string, unknown>
}

/** What the files of a mode may be. */
export type MediaLimits = {
  /** Each image. */
  image?: KindLimits
  /** Each video. */
  video?: KindLimits
  /** Each audio file. */
  audio?: KindLimits
  /** Bytes of all files together. */
  total_bytes_max: number
}

/** What one file may be. */
export type KindLimits = {
  /** What a file may be, such as `png` or `mp4`. */
  formats: string[]
  /** Bytes of one file. No such limit where it is missing. */
  bytes_max?: number
  /** Pixels. No such limit where it is missing. */
  width_min?: number
  /** Pixels. No such limit where it is missing. */
  width_max?: number
  /** Pixels. No such limit where it is missing. */
  height_min?: number
  /** Pixels. No such limit where it is missing. */
  height_max?: number
  /** Width divided by height, at least. */
  ratio_min?: number
  /** Width divided by height, at most. */
  ratio_max?: number
  /** Frames a second, at least. */
  frame_rate_min?: number
  /** Frames a second, at most. */
  frame_rate_max?: number
  /** Seconds of one file, at least. No such limit where it is missing. */
  seconds_min?: number
  /** Seconds of one file, at most. No such limit where it is missing. */
  seconds_max?: number
  /** Seconds of all files of the kind together. No such limit where it is missing. */
  seconds_total_max?: number
}

/** How the sums compare. */
export type ModelRuleOp = '<=' | '>=' | '=='

/**
 * Where all of `when` holds, `left` added up compares with `right` added up; or the text named by `well_formed` is
 * well-formed Unicode.
 */
export type ModelRule = {
  /** The name that a refusal carries as `rule`. */
  rule: string
  /** The modes it holds in. */
  modes: Mode[]
  /** The rule in words. */
  message: string
  /** Conditions; always where there are none. */
  when?: RuleCondition[]
  /** Terms to add up. */
  left?: RuleTerm[]
  /** How the sums compare. */
  op?: ModelRuleOp
  /** Terms to add up. */
  right?: RuleTerm[]
  /** A text that has neither U+0000 nor an unpaired surrogate. */
  well_formed?: string
}

/** A number, or how to get one from a request. */
export type RuleTerm = number | RuleMeasure

/**
 * One of value, sum, count and trimmed_length, each naming a property. A property left out counts as `default`, or 0.
 */
export type RuleMeasure = {
  /** The value of this property. */
  value?: string
  /** The sum of this list. */
  sum?: string
  /** The number of items of this list. */
  count?: string
  /** The Unicode code points of this text after trimming. */
  trimmed_length?: string
  /** What a property left out counts as. */
  default?: number
}

/** Holds with the default in place of a property left out; a list left out has no items. */
export type RuleCondition = {
  /** The property. */
  field: string
  /** Whether it must be there, or must not. */
  present?: boolean
  /** It has one of these values. */
  one_of?: (string | number | boolean)[]
  /** It is at least this. */
  min?: number
  /** It is at most this. */
  max?: number
  /** The list has at least so many items. */
  items_min?: number
  /** The list has at most so many items. */
  items_max?: number
  /** What a property left out counts as. */
  default?: string | number | boolean
}

/** The prices of a model. */
export type Pricing = {
  /** The price book. */
  price_version: string
  /** How the sum is rounded. */
  rounding: string
  /** Of the output rows exactly one fits a request. */
  rows: PriceRow[]
}

/** A rate and what it is for. */
export type PriceRow = {
  item: PriceItem
  unit: PriceUnit
  /** At this resolution; any where it is missing. */
  resolution?: string
  /** With or without generated sound; both where it is missing. */
  generate_audio?: boolean
  /** At this length in seconds; any where it is missing. */
  duration?: number
  /** Credits for one unit. */
  credits_per_unit: number
}

/** An address that is told of events of the account. */
export type WebhookEndpoint = {
  /** The id of the endpoint. */
  id: string
  /** Where events are posted: https on port 443 of a public host, without user, password and fragment. */
  url: string
  /** What it is for, in your words. */
  description: string
  /** What it is told. */
  events: WebhookEventType[]
  status: WebhookStatus
  /** Why nothing is sent; null while it is active. */
  paused_reason: string | null
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

/** A new endpoint. */
export type NewWebhookEndpoint = {
  /** Where events are posted: https on port 443 of a public host, without user, password and fragment. */
  url: string
  /** What it is told. Left out: everything. */
  events?: WebhookEventType[]
  /** What it is for, in your words. */
  description?: string
}

/** What changes of an endpoint; what is left out stays. */
export type WebhookEndpointChange = {
  /** Where events are posted: https on port 443 of a public host, without user, password and fragment. */
  url?: string
  /** What it is told. Left out: everything. */
  events?: WebhookEventType[]
  /** What it is for, in your words. */
  description?: string
}

/** A new endpoint and its secret. */
export type CreatedWebhookEndpoint = {
  /** The id of the endpoint. */
  id: string
  /** Where events are posted: https on port 443 of a public host, without user, password and fragment. */
  url: string
  /** What it is for, in your words. */
  description: string
  /** What it is told. */
  events: WebhookEventType[]
  status: WebhookStatus
  /** Why nothing is sent; null while it is active. */
  paused_reason: string | null
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
  /** Signs its deliveries. It is only in this answer: store it. */
  secret: string
}

/** An endpoint with a new secret. */
export type RotatedWebhookEndpoint = {
  /** The id of the endpoint. */
  id: string
  /** Where events are posted: https on port 443 of a public host, without user, password and fragment. */
  url: string
  /** What it is for, in your words. */
  description: string
  /** What it is told. */
  events: WebhookEventType[]
  status: WebhookStatus
  /** Why nothing is sent; null while it is active. */
  paused_reason: string | null
  /** When it was made. */
  created_at: string
  /** When it last changed. */
  updated_at: string
  /** Signs its deliveries. It is only in this answer: store it. */
  secret: string
  /** Until then deliveries are also signed with the former secret. */
  former_secret_until: string
}

/** The endpoints of the account, at most 20. */
export type WebhookEndpointList = {
  /** Always `list`. */
  object: 'list'
  /** The endpoints. */
  data: WebhookEndpoint[]
  /** Always null: there is one page. */
  next_cursor: null
}

/**
 * task.completed, task.failed: a task of the API has ended, and its credits are settled or on their way back.
 * task.in_review: whether it ends and how is not known yet. balance.low: the paid balance fell below the threshold of
 * the account.
 */
export type WebhookEventType = 'task.completed' | 'task.failed' | 'task.in_review' | 'balance.low'

/** paused: nothing is sent after days of failures alone, until it is resumed. */
export type WebhookStatus = 'active' | 'paused'

/** One event for one endpoint. */
export type WebhookDelivery = {
  /** The header `webhook-id`, the same in every attempt: skip what you have handled. */
  id: string
  /** The type of the event; `webhook.test` for a test. */
  event: string
  /** The task that it tells of. */
  task_id: string | null
  status: WebhookDeliveryStatus
  /** The attempts to send it, oldest first. */
  attempts: WebhookAttempt[]
  /** When it is sent next; null unless it is pending. */
  next_attempt_at: string | null
  /** When the event came. */
  created_at: string
}

/** pending: it is sent, or sent again. delivered: it was answered with 2xx. failed: no attempt of 24 hours was. */
export type WebhookDeliveryStatus = 'pending' | 'delivered' | 'failed'

/** One request to the endpoint. */
export type WebhookAttempt = {
  /** When it was sent. */
  at: string
  /** How long the answer took, in milliseconds. */
  duration_ms: number
  /** The status of the answer; null if there was none. */
  status: number | null
  /** Why there was no answer. */
  error: string | null
  /** How the answer begins. */
  answer: string | null
}

/** A page of deliveries, newest first, of the last 30 days. */
export type WebhookDeliveryList = {
  /** Always `list`. */
  object: 'list'
  /** The rows of this page. */
  data: WebhookDelivery[]
  /** What to send as `cursor` for the next page; null on the last. */
  next_cursor: string | null
}

/** What is sent again: one delivery by its id, or all that were created in a span. */
export type WebhookReplay = {
  /** One delivery. Send it alone. */
  delivery_id?: string
  /** The first moment of the span. */
  from?: string
  /** The first moment behind the span. */
  to?: string
}

/** How many deliveries are sent again. */
export type WebhookReplayed = {
  /** How many. */
  replayed: number
  /** Whether the span has more: then send the rest of it again. */
  more: boolean
}

/** What every refusal looks like. */
export type ErrorResponse = {
  error: ApiError
}

/** A refusal. */
export type ApiError = {
  code: ErrorCode
  /** For people. The words may change. */
  message: string
  /** What a program may need; which properties are there depends on the code. */
  details?: ErrorDetails
}

/** For programs: the closed list of why a request is refused. */
export type ErrorCode = 'invalid_request' | 'invalid_content_type' | 'invalid_json' | 'unsupported_field' | 'missing_idempotency_key' | 'invalid_idempotency_key' | 'invalid_task_id' | 'unknown_model' | 'media_unreachable' | 'media_forbidden_address' | 'media_too_large' | 'media_type_unsupported' | 'media_dimensions' | 'media_frame_rate' | 'media_duration' | 'media_duration_mismatch' | 'media_corrupt' | 'max_credits_exceeded' | 'prompt_rejected' | 'missing_api_key' | 'invalid_api_key' | 'insufficient_credits' | 'budget_exceeded' | 'task_not_found' | 'upload_not_found' | 'model_not_found' | 'video_not_ready' | 'not_found' | 'method_not_allowed' | 'no_video' | 'idempotency_key_reused' | 'video_not_ended' | 'not_cancellable' | 'cancelled' | 'body_too_large' | 'rate_limited' | 'unfinished_task_limit' | 'upload_limit' | 'generation_unavailable' | 'acceptance_uncertain' | 'service_unavailable' | 'endpoint_limit' | 'invalid_http' | 'too_many_pipelined' | 'request_timeout' | 'expectation_failed' | 'headers_too_large' | 'http_version_not_supported' | 'internal_error'

/** Why the task is not cancelled. With `not_cancellable`. */
export type ErrorDetailsReason = 'ended' | 'finished' | 'provider_cannot' | 'provider_refused' | 'provider_silent' | 'uncertain'

/** Whose budget has too little left: of several, the one that comes back last. With `budget_exceeded`. */
export type ErrorDetailsBudget = 'key' | 'member' | 'account'

/** What that budget caps; days and months are those of the account’s time zone. With `budget_exceeded`. */
export type ErrorDetailsPeriod = 'total' | 'day' | 'month'

/** Facts beside an error. Which of them are there depends on the code. */
export type ErrorDetails = {
  /**
   * Every fault of the request at once, at most 100. With `invalid_request`, `invalid_json`, `unsupported_field`,
   * `unknown_model`.
   */
  issues?: Issue[]
  /**
   * The task that the answer is about: one that failed, or one whose acceptance is not known yet. With
   * `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`, `media_dimensions`,
   * `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`, `prompt_rejected`,
   * `not_cancellable`, `cancelled`, `generation_unavailable`, `acceptance_uncertain`.
   */
  task_id?: string
  /**
   * Which item of `field`, from 0. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
   * `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
   * `media_corrupt`, `generation_unavailable`.
   */
  url_index?: number
  /**
   * The property whose file is meant. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
   * `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
   * `media_corrupt`, `generation_unavailable`.
   */
  field?: string
  /** Why the task is not cancelled. With `not_cancellable`. */
  reason?: ErrorDetailsReason
  /**
   * What was found in the file. With `media_unreachable`, `media_forbidden_address`, `media_too_large`,
   * `media_type_unsupported`, `media_dimensions`, `media_frame_rate`, `media_duration`, `media_duration_mismatch`,
   * `media_corrupt`.
   */
  measured?: string
  /**
   * What the model takes. Beside `rate_limited`: `refusals`, where it is not the limit of requests. With
   * `media_unreachable`, `media_forbidden_address`, `media_too_large`, `media_type_unsupported`, `media_dimensions`,
   * `media_frame_rate`, `media_duration`, `media_duration_mismatch`, `media_corrupt`, `rate_limited`.
   */
  limit?: string
  /** The price of the request. With `max_credits_exceeded`. */
  price_credits?: number
  /** What the request allows. With `max_credits_exceeded`. */
  max_credits?: number
  /** The price book that the price is from. With `max_credits_exceeded`. */
  price_version?: string
  /** The price of the request. With `insufficient_credits`, `budget_exceeded`. */
  required_credits?: number
  /** The paid balance. With `insufficient_credits`. */
  available_credits?: number
  /** Whose budget has too little left: of several, the one that comes back last. With `budget_exceeded`. */
  budget?: ErrorDetailsBudget
  /** What that budget caps; days and months are those of the account’s time zone. With `budget_exceeded`. */
  period?: ErrorDetailsPeriod
  /** What that budget has left, less than the price. With `budget_exceeded`. */
  left_credits?: number
  /** When that budget begins anew; null for a total, which never does. With `budget_exceeded`. */
  resets_at?: string | null
  /**
   * The tasks that count, of the API and of the console: those first that stop first, at most 10. With
   * `unfinished_task_limit`.
   */
  unfinished?: UnfinishedTask[]
  [field: string]: unknown
}

/** What its credits wait for. */
export type UnfinishedTaskBillingStatus = 'reserved' | 'review' | 'refund_pending'

/** A task that counts towards the limit of the account. */
export type UnfinishedTask = {
  /** The task. One of the console can’t be read here. */
  task_id: string
  /** What its credits wait for. */
  billing_status: UnfinishedTaskBillingStatus
  /** Of a review: from then on it does not count, because its generation can no longer run. Its credits stay held. */
  until?: string
}

/** One fault of a request. */
export type Issue = {
  /** The property, such as `duration` or `reference_image_urls[2]`; empty for the body itself. */
  path: string
  /** What it offends: a keyword such as `required` or `maximum`, or the name of a rule of the model. */
  rule: string
  /** The fault in words: what is legal, and what was sent. */
  message: string
}

/** What `details` holds with each code. */
export interface ErrorDetailsByCode {
  invalid_request: { issues: Issue[] }
  invalid_content_type: undefined
  invalid_json: { issues?: Issue[] }
  unsupported_field: { issues: Issue[] }
  missing_idempotency_key: undefined
  invalid_idempotency_key: undefined
  invalid_task_id: undefined
  unknown_model: { issues: Issue[] }
  media_unreachable: { task_id: string; url_index?: number; field?: string; measured?: string; limit?: string }
  media_forbidden_address: { task_id: string; url_index?: number; field?: string; measured?: string; limit?: string }
  media_too_large: { task_id: string; url_index?: number; field?: string; measured?: string; limit?: string }
  media_type_unsupported: { task_id: string; url_index?: number; field?: string; measured?: string; limit?: string }
  media_dimensions: { task_id: string; url_index?: number; field?: string; measured?: string; limit?: string }
  media_frame_rate: { task_id: string; url_index?: number; field?: string; measured?: string; limit?: string }
  media_duration: { task_id: string; url_index?: number; field?: string; measured?: string; limit?: string }
  media_duration_mismatch: { task_id: string; url_index?: number; field?: string; measured?: string; limit?: string }
  media_corrupt: { task_id: string; url_index?: number; field?: string; measured?: string; limit?: string }
  max_credits_exceeded: { price_credits: number; max_credits: number; price_version: string }
  prompt_rejected: { task_id: string }
  missing_api_key: undefined
  invalid_api_key: undefined
  insufficient_credits: { required_credits: number; available_credits: number }
  budget_exceeded: { budget: ErrorDetailsBudget; period: ErrorDetailsPeriod; required_credits: number; left_credits: number; resets_at: string | null }
  task_not_found: undefined
  upload_not_found: undefined
  model_not_found: undefined
  video_not_ready: undefined
  not_found: undefined
  method_not_allowed: undefined
  no_video: undefined
  idempotency_key_reused: undefined
  video_not_ended: undefined
  not_cancellable: { task_id: string; reason: ErrorDetailsReason }
  cancelled: { task_id: string }
  body_too_large: undefined
  rate_limited: { limit?: string }
  unfinished_task_limit: { unfinished?: UnfinishedTask[] }
  upload_limit: undefined
  generation_unavailable: { task_id?: string; url_index?: number; field?: string }
  acceptance_uncertain: { task_id: string }
  service_unavailable: undefined
  endpoint_limit: undefined
  invalid_http: undefined
  too_many_pipelined: undefined
  request_timeout: undefined
  expectation_failed: undefined
  headers_too_large: undefined
  http_version_not_supported: undefined
  internal_error: undefined
}
