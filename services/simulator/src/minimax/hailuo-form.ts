import type { GenerationRequest } from '../generation/generation'
import models from './models.json' with { type: 'json' }
import { type Body, defined, isAddress, type Ours } from './request'

/** Which seconds a model has at a resolution, by the frames it is given; `last`: with or without a first one. */
type HailuoModel = { model: string; seconds_by_frames: Partial<Record<Frames, Record<string, number[]>>>; fields: string[] }
type Frames = 'none' | 'first' | 'last'

const forms = new Map(
  (models as unknown as HailuoModel[]).filter(one => one.seconds_by_frames !== undefined).map(form => [form.model, form]),
)

const fields: Record<string, (value: unknown) => boolean> = {
  model: value => forms.has(String(value)),
  prompt: value => typeof value === 'string' && [...value].length <= 2_000,
  prompt_optimizer: value => typeof value === 'boolean',
  fast_pretreatment: value => typeof value === 'boolean',
  duration: value => Number.isSafeInteger(value),
  resolution: value => typeof value === 'string',
  first_frame_image: isAddress,
  last_frame_image: isAddress,
  callback_url: isAddress,
}
/** That the model has to name itself. */
const byModel = ['fast_pretreatment']

/** What is wrong with a body, in the words of 2013; stricter than MiniMax, of which no page says that it refuses what it doesn't know. */
export function hailuoFault(body: Body): string | undefined {
  const form = forms.get(String(body.model))
  if (!form) return `model ${String(body.model)} is unknown`
  const odd = Object.entries(body).find(
    ([name, value]) => !fields[name]?.(value) || (byModel.includes(name) && !form.fields.includes(name)),
  )
  if (odd) return `${odd[0]} is not as it has to be`
  const frames = framesOf(body)
  const byResolution = form.seconds_by_frames[frames]
  if (!byResolution) return `${form.model} takes other frames`
  if (frames === 'none' && !body.prompt) return 'prompt is required'
  const { resolution, duration } = saidOrUsual(body)
  return byResolution[resolution]?.includes(duration) ? undefined : `${form.model} has no ${duration} s at ${resolution}`
}

const framesOf = ({ first_frame_image: first, last_frame_image: last }: Body): Frames =>
  last !== undefined ? 'last' : first !== undefined ? 'first' : 'none'

/** The defaults of the reference. */
const saidOrUsual = ({ resolution, duration }: Body) => ({
  resolution: typeof resolution === 'string' ? resolution : '768P',
  duration: typeof duration === 'number' ? duration : 6,
})

/** A checked body as the simulator's own request. */
export function readHailuo(body: Body, ours: Ours): GenerationRequest {
  const { resolution, duration } = saidOrUsual(body)
  const frames = framesOf(body)
  return defined({
    ...ours,
    model: String(body.model),
    mode: frames === 'none' ? 'text-to-video' : 'image-to-video',
    prompt: typeof body.prompt === 'string' && body.prompt !== '' ? body.prompt : 'no prompt',
    duration_seconds: duration,
    resolution: resolution.toLowerCase(),
    aspect_ratio: frames === 'none' ? '16:9' : 'adaptive',
    first_frame_url: body.first_frame_image as string | undefined,
    last_frame_url: body.last_frame_image as string | undefined,
    callback_url: body.callback_url as string | undefined,
  })
}
