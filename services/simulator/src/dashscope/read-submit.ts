import type { GenerationRequest } from '../generation/generation'
import { type Media, type ModelForm, placeOf, type Submit } from './forms'

/** Models that make sound without a field for it. */
const soundAlways = /^wan2\.[56]-/

/** A checked submit as the simulator's own request; `clientTaskId` is made up, because DashScope takes none. */
export function readSubmit(form: ModelForm, { input, parameters }: Submit, clientTaskId: string): GenerationRequest {
  const media = (input.media ?? []) as Media[]
  const all = (type: string) => media.filter(one => one.type === type).map(({ url }) => url)
  const some = (type: string) => (all(type).length > 0 ? all(type) : undefined)
  const first = all('first_frame')[0] ?? (input.img_url as string | undefined)
  const references = {
    reference_images: some('reference_image'),
    reference_videos: some('reference_video'),
    reference_audios: some('reference_audio'),
  }
  const hasReferences = Object.values(references).some(one => one !== undefined)
  const place = placeOf(form, parameters.size)
  return defined({
    client_task_id: clientTaskId,
    model: form.model,
    mode: hasReferences ? 'media-to-video' : first ? 'image-to-video' : 'text-to-video',
    prompt: String(input.prompt),
    duration_seconds: Number(parameters.duration ?? 5),
    resolution: place?.resolution ?? String(parameters.resolution).toLowerCase(),
    aspect_ratio: place?.ratio ?? ratioOf(form, parameters.ratio),
    seed: parameters.seed as number | undefined,
    generate_audio: (parameters.audio as boolean | undefined) ?? (soundAlways.test(form.model) ? true : undefined),
    watermark: parameters.watermark as boolean | undefined,
    first_frame_url: first,
    last_frame_url: all('last_frame')[0],
    ...references,
  })
}

/** Where it is left out: that of the picture, or the model's own default. */
function ratioOf({ ratios }: ModelForm, ratio: unknown): string {
  if (typeof ratio === 'string') return ratio
  return ratios && !ratios.includes('adaptive') ? '16:9' : 'adaptive'
}

const defined = <T extends object>(request: T): T =>
  Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as T
