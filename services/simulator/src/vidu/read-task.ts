import type { GenerationRequest } from '../generation/generation'
import type { Input, TaskForm } from './forms'

/** A checked task as the simulator's own request. `clientTaskId` is made up: Vidu knows a task by its own id alone. */
export function readTask({ path }: TaskForm, input: Input, clientTaskId: string): GenerationRequest {
  const images = (input.images ?? []) as string[]
  const isReference = path === 'reference2video'
  const [first, last] = isReference ? [] : images
  return defined({
    client_task_id: clientTaskId,
    model: String(input.model),
    mode: isReference ? 'media-to-video' : first ? 'image-to-video' : 'text-to-video',
    prompt: typeof input.prompt === 'string' && input.prompt !== '' ? input.prompt : 'no prompt',
    duration_seconds: Number(input.duration ?? 5),
    resolution: String(input.resolution ?? '720p'),
    aspect_ratio: first ? 'adaptive' : String(input.aspect_ratio ?? '16:9'),
    // 0 is the word for a seed of Vidu's own choice.
    seed: (input.seed as number | undefined) || undefined,
    generate_audio: (input.audio as boolean | undefined) ?? true,
    watermark: input.watermark as boolean | undefined,
    first_frame_url: first,
    last_frame_url: last,
    reference_images: isReference ? images : undefined,
    callback_url: input.callback_url as string | undefined,
  })
}

const defined = <T extends object>(request: T): T =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as T
