import { requestOf } from '../engine/fields'
import { type Media, type ModelForm, placeOf, type Submit } from './forms'

/** Models that make sound without a field for it. */
const soundAlways = /^wan2\.[56]-/

/** A checked submit as the simulator's own request; its `client_task_id` is made up, because DashScope takes none. */
export function readSubmit(form: ModelForm, { input, parameters }: Submit) {
  const media = (input.media ?? []) as Media[]
  const urlsOf = (type: string) => media.filter(one => one.type === type).map(({ url }) => url)
  const place = placeOf(form, parameters.size)
  return requestOf({
    client_task_id: `dashscope_${crypto.randomUUID()}`,
    model: form.model,
    prompt: String(input.prompt),
    duration_seconds: Number(parameters.duration ?? 5),
    resolution: place?.resolution ?? String(parameters.resolution).toLowerCase(),
    aspect_ratio: place?.ratio ?? ratioOf(form, parameters.ratio),
    seed: parameters.seed as number | undefined,
    generate_audio: (parameters.audio as boolean | undefined) ?? (soundAlways.test(form.model) ? true : undefined),
    watermark: parameters.watermark as boolean | undefined,
    first_frame_url: urlsOf('first_frame')[0] ?? (input.img_url as string | undefined),
    last_frame_url: urlsOf('last_frame')[0],
    reference_images: urlsOf('reference_image'),
    reference_videos: urlsOf('reference_video'),
    reference_audios: urlsOf('reference_audio'),
  })
}

/** Where it is left out: that of the picture, or the model's own default. */
function ratioOf({ ratios }: ModelForm, ratio: unknown): string {
  if (typeof ratio === 'string') return ratio
  return ratios && !ratios.includes('adaptive') ? '16:9' : 'adaptive'
}
