import { requestOf } from '../engine/fields'
import { flatten, type ModelForm, placeOf, type Task } from './forms'

/** Where the models have their switch for sound. */
const sounds = ['settings.audio', 'providerSettings.klingai.sound', 'providerSettings.google.generateAudio', 'providerSettings.vidu.audio']

/** A checked task as the simulator's own request. With frames and no size the picture says the ratio, and the model the resolution. */
export function readTask(form: ModelForm, task: Task) {
  const flat = flatten(task)
  const frames = (flat['inputs.frameImages'] ?? []) as { image: string; frame: string }[]
  const frame = (which: string) => frames.find(one => one.frame === which)?.image
  const list = (name: string) => flat[`inputs.${name}`] as string[] | undefined
  const [resolution = ''] = Object.keys(form.sizes)
  const place = placeOf(form, `${flat.width}x${flat.height}`) ?? { resolution, ratio: 'adaptive' }
  return requestOf({
    client_task_id: String(flat.taskUUID),
    model: form.model,
    prompt: String(flat.positivePrompt),
    duration_seconds: Number(flat.duration),
    resolution: place.resolution,
    aspect_ratio: place.ratio,
    seed: flat.seed as number | undefined,
    generate_audio: sounds.map(name => flat[name]).find(value => typeof value === 'boolean') as boolean | undefined,
    first_frame_url: frame('first'),
    last_frame_url: frame('last'),
    reference_images: list('referenceImages'),
    reference_videos: list('referenceVideos'),
    reference_audios: list('referenceAudios'),
    callback_url: flat.webhookURL as string | undefined,
  })
}
