import type { GenerationRequest } from '../generation/generation'
import type { KlingBody, ModelForm } from './forms'

/** Of a task without an external_task_id, which the simulator's engine doesn't know. */
const unnamed = 'kling-unnamed-'
export const isUnnamed = (clientTaskId: string | null): boolean => clientTaskId === null || clientTaskId.startsWith(unnamed)

/** Of a video that is as long as the one it follows, which nobody measures here. */
const secondsUnsaid = 5

/** A checked body as the simulator's own request. Where there is a picture or a video and no ratio, it says the ratio. */
export function readRequest(form: ModelForm, { prompt, contents, settings, options }: KlingBody): GenerationRequest {
  const urls = (...types: string[]) => contents.flatMap(({ type, url }) => (types.includes(type) && url !== undefined ? [url] : []))
  const [first] = urls('first_frame')
  const [last] = urls('last_frame')
  const [images, videos] = [urls('refer_image', 'image'), urls('feature_video', 'base_video', 'video')]
  const follows = first !== undefined || videos.length > 0
  const hasReferences = images.length > 0 || videos.length > 0
  return {
    client_task_id: options.external_task_id ?? `${unnamed}${crypto.randomUUID()}`,
    model: form.path,
    mode: hasReferences ? 'media-to-video' : first ? 'image-to-video' : 'text-to-video',
    prompt: prompt ?? contents.find(({ type }) => type === 'prompt')?.text ?? 'no prompt',
    duration_seconds: Number(settings.duration ?? secondsUnsaid),
    resolution: String(settings.resolution ?? '720p'),
    aspect_ratio: String(settings.aspect_ratio ?? (follows ? 'adaptive' : '16:9')),
    ...(settings.audio !== undefined && { generate_audio: settings.audio !== 'off' }),
    ...(first && { first_frame_url: first }),
    ...(last && { last_frame_url: last }),
    ...(images.length > 0 && { reference_images: images }),
    ...(videos.length > 0 && { reference_videos: videos }),
    ...(options.callback_url && { callback_url: options.callback_url }),
  }
}
