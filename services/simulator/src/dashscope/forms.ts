import { type Fields, isAddress, isFields } from '../engine/fields'
import models from './models.json' with { type: 'json' }

/** What one of DashScope's models takes, from its page (`source`), beside what all of them do. */
export type ModelForm = {
  model: string
  source: string
  /** In characters. DashScope cuts off what is longer, and says nothing. */
  prompt_max: number
  seconds: { min?: number; max?: number; one_of?: number[]; max_with_video?: number }
  input: string[]
  /** Of `input`, what it can't do without. */
  needs?: string
  parameters: string[]
  /** Our word of a resolution → ratio → the one size that it has there. */
  sizes?: Record<string, Record<string, string>>
  resolutions?: string[]
  ratios?: string[]
  /** Kind → how many of it at most. */
  media?: Record<string, number>
  references_max?: number
  /** First and last frame stand beside no other kind. */
  frames_alone?: boolean
}

export type Media = { type: string; url: string }
/** The body of a submit, whose parts are objects. */
export type Submit = { model: string; input: Fields; parameters: Fields }

const forms = new Map((models as unknown as ModelForm[]).map(form => [form.model, form]))
export const formOf = (model: unknown): ModelForm | undefined => (typeof model === 'string' ? forms.get(model) : undefined)

type Kind = 'string' | 'boolean' | 'integer' | 'address' | 'media'

/** `extend_prompt` and `function` are in no page, and sent with every submit by DashScope's own client (dashscope 2.0.2). */
const inputs: Record<string, Kind> = {
  ...{ prompt: 'string', negative_prompt: 'string', extend_prompt: 'boolean', function: 'string' },
  ...{ img_url: 'address', audio_url: 'address', media: 'media' },
}
const always = ['prompt', 'negative_prompt', 'extend_prompt', 'function']
const parameters: Record<string, Kind> = {
  ...{ duration: 'integer', size: 'string', resolution: 'string', ratio: 'string', shot_type: 'string' },
  ...{ seed: 'integer', watermark: 'boolean', prompt_extend: 'boolean', audio: 'boolean' },
}
const seedMax = 2_147_483_647

/** The first fault of a submit, in words. Stricter than DashScope, which finds most of them after it has made a task. */
export function faultOf(form: ModelForm, { input, parameters: asked }: Submit): string | undefined {
  return (
    fieldFault('input', input, inputs, [...always, ...form.input]) ??
    fieldFault('parameters', asked, parameters, ['duration', ...form.parameters]) ??
    promptFault(form, input) ??
    (form.needs && input[form.needs] === undefined ? `Field required: input.${form.needs}` : undefined) ??
    mediaFault(form, (input.media ?? []) as Media[]) ??
    valueFault(form, input, asked)
  )
}

function fieldFault(part: string, fields: Fields, kinds: Record<string, Kind>, taken: string[]): string | undefined {
  for (const [name, value] of Object.entries(fields)) {
    const kind = taken.includes(name) ? kinds[name] : undefined
    if (!kind) return `${part}.${name} is not taken by this model`
    if (!isOfKind(kind, value)) return `${part}.${name} must be of the kind ${kind}`
  }
  return undefined
}

function promptFault({ prompt_max: max }: ModelForm, { prompt }: Fields): string | undefined {
  if (typeof prompt !== 'string' || prompt === '') return 'Field required: input.prompt'
  return [...prompt].length > max ? `input.prompt would be cut off at ${max} characters` : undefined
}

function mediaFault({ media = {}, frames_alone: framesAlone, references_max: max = 100 }: ModelForm, given: Media[]): string | undefined {
  for (const [type, own] of Map.groupBy(given, one => one.type))
    if (own.length > (media[type] ?? 0)) return `input.media takes ${media[type] ?? 0} of ${type}`
  const frames = given.filter(({ type }) => type.endsWith('_frame')).length
  const references = given.filter(({ type }) => type.startsWith('reference_')).length
  if (references > max) return `input.media takes ${max} references`
  if (framesAlone && frames > 0 && references > 0)
    return 'The two modes are mutually exclusive. Do not pass reference_xx and first_frame/last_frame at the same time.'
  return undefined
}

function valueFault(form: ModelForm, { media = [] }: Fields, { duration, size, resolution, ratio, seed }: Fields): string | undefined {
  const { min = 1, max = 60, one_of: listed, max_with_video: withVideo = max } = form.seconds
  const longest = (media as Media[]).some(({ type }) => type === 'reference_video') ? withVideo : max
  const seconds = Number(duration ?? 5)
  if (listed ? !listed.includes(seconds) : seconds < min || seconds > longest) return 'parameters.duration is out of range'
  // Here nobody forgets what a video costs: the size or resolution that DashScope takes unasked is its dearest.
  if (form.sizes ? !placeOf(form, size) : !form.resolutions?.includes(String(resolution))) return 'The size is not match'
  if (ratio !== undefined && !form.ratios?.includes(String(ratio))) return 'parameters.ratio is not one of this model’s'
  return seed !== undefined && (Number(seed) < 0 || Number(seed) > seedMax) ? 'parameters.seed is out of range' : undefined
}

/** Which resolution and ratio a size is. */
export function placeOf({ sizes = {} }: ModelForm, size: unknown): { resolution: string; ratio: string } | undefined {
  for (const [resolution, byRatio] of Object.entries(sizes))
    for (const [ratio, own] of Object.entries(byRatio)) if (own === size) return { resolution, ratio }
  return undefined
}

function isOfKind(kind: Kind, value: unknown): boolean {
  if (kind === 'address') return isAddress(value)
  if (kind === 'integer') return Number.isSafeInteger(value)
  return kind === 'media' ? Array.isArray(value) && value.length > 0 && value.every(isMedia) : typeof value === kind
}

function isMedia(value: unknown): boolean {
  if (!isFields(value)) return false
  const { type, url, ...rest } = value
  return typeof type === 'string' && isAddress(url) && Object.keys(rest).length === 0
}
