import { type Check, type Fields, isAddress, isBoolean, isText, isWhole, requestOf } from '../engine/fields'
import models from './models.json' with { type: 'json' }

/** Which seconds a model has at a resolution, by the frames it is given; `last`: with or without a first one. */
type HailuoModel = { model: string; seconds_by_frames: Partial<Record<Frames, Record<string, number[]>>>; fields: string[] }
type Frames = 'none' | 'first' | 'last'

const forms = new Map(
  (models as unknown as HailuoModel[]).filter(one => one.seconds_by_frames !== undefined).map(form => [form.model, form]),
)

const fields: Record<string, Check> = {
  model: value => forms.has(String(value)),
  prompt: isText(2_000),
  prompt_optimizer: isBoolean,
  fast_pretreatment: isBoolean,
  duration: isWhole(),
  resolution: isText(20),
  first_frame_image: isAddress,
  last_frame_image: isAddress,
  callback_url: isAddress,
}
/** That the model has to name itself. */
const byModel = ['fast_pretreatment']

/** What is wrong with a body, in the words of 2013; stricter than MiniMax, of which no page says that it refuses what it doesn't know. */
export function hailuoFault(body: Fields): string | undefined {
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

const framesOf = ({ first_frame_image: first, last_frame_image: last }: Fields): Frames =>
  last !== undefined ? 'last' : first !== undefined ? 'first' : 'none'

/** The defaults of the reference. */
const saidOrUsual = ({ resolution, duration }: Fields) => ({
  resolution: typeof resolution === 'string' ? resolution : '768P',
  duration: typeof duration === 'number' ? duration : 6,
})

/** A checked body as the simulator's own request. */
export function readHailuo(body: Fields) {
  const { resolution, duration } = saidOrUsual(body)
  return requestOf({
    client_task_id: `minimax_${crypto.randomUUID()}`,
    model: String(body.model),
    prompt: body.prompt as string | undefined,
    duration_seconds: duration,
    resolution: resolution.toLowerCase(),
    aspect_ratio: framesOf(body) === 'none' ? '16:9' : 'adaptive',
    first_frame_url: body.first_frame_image as string | undefined,
    last_frame_url: body.last_frame_image as string | undefined,
    callback_url: body.callback_url as string | undefined,
  })
}
