import { type Check, isAddress, isBoolean, isOneOf, isText, isWhole } from '../engine/fields'
import tasks from './tasks.json' with { type: 'json' }

/** What one kind of task takes, from its page (`source`). */
export type TaskForm = {
  path: string
  source: string
  models: string[]
  required: string[]
  /** Beside those of every task. */
  fields: string[]
  images?: { min: number; max: number }
  aspect_ratios?: string[]
  seconds: { min: number; max: number }
}

/** A fault by its word on platform.vidu.com/docs/error-code, and the field that it is about. */
export type TaskFault = { reason: 'FieldLacking' | 'FieldUnwanted' | 'FieldItemCountOutOfRange' | 'FieldInvalid'; field: string }
export type Input = Record<string, unknown>

const forms = new Map((tasks as TaskForm[]).map(form => [form.path, form]))
export const formOf = (path: string): TaskForm | undefined => forms.get(path)

const isPicture: Check = value => isAddress(value) || (typeof value === 'string' && value.startsWith('data:image/'))

/** Every field that some page names, and what it has to be. */
const checks: Record<string, Check> = {
  prompt: isText(5_000),
  images: value => Array.isArray(value) && value.every(isPicture),
  seed: isWhole(),
  resolution: isOneOf('540p', '720p', '1080p'),
  audio: isBoolean,
  audio_type: isOneOf('all', 'speech_only', 'sound_effect_only'),
  voice_id: isText(200),
  is_rec: isBoolean,
  style: isOneOf('general', 'anime'),
  movement_amplitude: isOneOf('auto', 'small', 'medium', 'large'),
  bgm: isBoolean,
  off_peak: isBoolean,
  watermark: isBoolean,
  wm_position: isWhole(),
  wm_url: isPicture,
  meta_data: isText(10_000),
  payload: isText(1_048_576),
  callback_url: isPicture,
}
const common = [
  ...['model', 'prompt', 'duration', 'seed', 'resolution', 'audio', 'movement_amplitude', 'bgm', 'off_peak', 'watermark', 'wm_position'],
  ...['wm_url', 'meta_data', 'payload', 'callback_url'],
]

/** What the form itself says of a field. */
const checksOf = ({ models, seconds: { min, max }, aspect_ratios: ratios = [] }: TaskForm): Record<string, Check> => ({
  ...checks,
  model: isOneOf(...models),
  duration: isWhole(min, max),
  aspect_ratio: isOneOf(...ratios),
})

/** The first fault of a task. */
export function faultOf(form: TaskForm, input: Input): TaskFault | undefined {
  const taken = checksOf(form)
  const lacking = form.required.find(name => input[name] === undefined || input[name] === '')
  if (lacking) return { reason: 'FieldLacking', field: lacking }
  for (const [name, value] of Object.entries(input)) {
    if (!common.includes(name) && !form.fields.includes(name)) return { reason: 'FieldUnwanted', field: name }
    if (!taken[name]?.(value)) return { reason: 'FieldInvalid', field: name }
  }
  const count = Array.isArray(input.images) ? input.images.length : 0
  const { min, max } = form.images ?? { min: 0, max: 0 }
  return count < min || count > max ? { reason: 'FieldItemCountOutOfRange', field: 'images' } : undefined
}
