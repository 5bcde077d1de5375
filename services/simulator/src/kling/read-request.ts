import { requestOf } from '../engine/fields'
import type { KlingBody, ModelForm } from './forms'

/** Of a task without an external_task_id, which the simulator's engine doesn't know. */
const unnamed = 'kling-unnamed-'
export const isUnnamed = (clientTaskId: string | null): boolean => clientTaskId === null || clientTaskId.startsWith(unnamed)

/** Of a video that is as long as the one it follows, which nobody measures here. */
const secondsUnsaid = 5

/** A checked body as the simulator's own request. Where there is a picture or a video and no ratio, it says the ratio. */
export function readRequest(form: ModelForm, { prompt, contents, settings, options }: KlingBody) {
  const urls = (...types: string[]) => contents.flatMap(({ type, url }) => (types.includes(type) && url !== undefined ? [url] : []))
  const [first] = urls('first_frame')
  const videos = urls('feature_video', 'base_video', 'video')
  return requestOf({
    client_task_id: options.external_task_id ?? `${unnamed}${crypto.randomUUID()}`,
    model: form.path,
    prompt: prompt ?? contents.find(({ type }) => type === 'prompt')?.text,
    duration_seconds: Number(settings.duration ?? secondsUnsaid),
    resolution: String(settings.resolution ?? '720p'),
    aspect_ratio: String(settings.aspect_ratio ?? (first || videos.length > 0 ? 'adaptive' : '16:9')),
    generate_audio: settings.audio === undefined ? undefined : settings.audio !== 'off',
    first_frame_url: first,
    last_frame_url: urls('last_frame')[0],
    reference_images: urls('refer_image', 'image'),
    reference_videos: videos,
    callback_url: options.callback_url,
  })
}
