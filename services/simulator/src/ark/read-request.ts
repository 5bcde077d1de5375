import type { GenerationRequest } from '../generation/generation'
import type { ArkRequest, Content, SceneName } from './forms'

const modes = { text: 'text-to-video', frames: 'image-to-video', references: 'media-to-video' } as const satisfies Record<SceneName, string>

/** A checked request as the simulator's own. Without a ratio Ark follows the picture, and is 16:9 or what it chooses where there is none. */
export function readRequest(request: ArkRequest, { text, media, scene }: Content): GenerationRequest {
  const urlsOf = (role: string) => media.filter(one => one.role === role).map(({ url }) => url)
  const listOf = (role: string) => (urlsOf(role).length > 0 ? urlsOf(role) : undefined)
  return defined({
    // Two submits are two tasks, whatever they have in common.
    client_task_id: `ark_${crypto.randomUUID()}`,
    model: String(request.model),
    mode: modes[scene],
    prompt: text,
    duration_seconds: Number(request.duration),
    resolution: String(request.resolution),
    aspect_ratio: String(request.ratio ?? 'adaptive'),
    seed: request.seed === -1 ? undefined : (request.seed as number | undefined),
    generate_audio: request.generate_audio as boolean | undefined,
    watermark: request.watermark as boolean | undefined,
    first_frame_url: urlsOf('first_frame')[0],
    last_frame_url: urlsOf('last_frame')[0],
    reference_images: listOf('reference_image'),
    reference_videos: listOf('reference_video'),
    reference_audios: listOf('reference_audio'),
    callback_url: request.callback_url as string | undefined,
  })
}

const defined = <T extends object>(request: T): T =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as T
