import { type Fields, isAddress, isFields } from '../engine/fields'
import models from './models.json' with { type: 'json' }

/** What one of Kling's models takes, from its page (`source`). */
export type ModelForm = {
  /** What is done, and the model that does it. */
  path: string
  source: string
  prompt_max: number
  /** Types of entries and how many there may be at most. Absent: it takes a `prompt` and no `contents`. */
  contents?: Record<string, number>
  /** Every setting with all that it may be. */
  settings: Record<string, (string | number | boolean)[]>
  /** Entries and settings that have to be there. */
  needs?: string[]
  /** Names of `ruleFaults`. */
  rules?: string[]
}

export type Entry = { type: string; text?: string; url?: string }
export type KlingBody = {
  prompt?: string
  contents: Entry[]
  settings: Record<string, string | number | boolean>
  options: { callback_url?: string; external_task_id?: string }
}

const forms = new Map((models as unknown as ModelForm[]).map(form => [form.path, form]))
export const formOf = (path: string): ModelForm | undefined => forms.get(path)

/** A fault of a body in Kling's words: “settings.duration value '7' is invalid” (seen live); others are made after it. */
class BodyFault extends Error {
  override name = 'BodyFault'
}
const refuse = (words: string): never => {
  throw new BodyFault(words)
}
const invalid = (field: string, value: unknown): never => refuse(`${field} value '${value}' is invalid`)

/** Stricter than Kling, which leaves unknown fields out of account (seen live): here a slip must show. */
export function readBody(form: ModelForm, body: unknown): KlingBody | { fault: string } {
  try {
    return checked(form, body)
  } catch (error) {
    if (error instanceof BodyFault) return { fault: error.message }
    throw error
  }
}

function checked(form: ModelForm, body: unknown): KlingBody {
  if (!isFields(body)) return refuse('body is invalid')
  only('', body, [form.contents ? 'contents' : 'prompt', 'settings', 'options'])
  const read = {
    ...(form.contents ? {} : { prompt: textOf('prompt', body.prompt, form) }),
    contents: form.contents ? contentsOf(form, body.contents) : [],
    settings: settingsOf(form, body.settings ?? {}),
    options: optionsOf(body.options ?? {}),
  }
  const has = new Set([...read.contents.map(({ type }) => type), ...Object.keys(read.settings)])
  for (const name of form.needs ?? []) if (!has.has(name)) refuse(`${name} is required`)
  for (const rule of form.rules ?? []) ruleFaults[rule]?.(read, has)
  return read
}

function only(place: string, fields: Fields, names: string[]): void {
  for (const name of Object.keys(fields)) if (!names.includes(name)) refuse(`${place}${name} is not a field`)
}

function textOf(field: string, value: unknown, { prompt_max: max }: ModelForm): string {
  if (typeof value !== 'string' || value.trim() === '') return refuse(`${field} cannot be blank`)
  return [...value].length > max ? refuse(`${field} cannot exceed ${max} characters`) : value
}

function settingsOf({ settings }: ModelForm, given: unknown): KlingBody['settings'] {
  if (!isFields(given)) return invalid('settings', given)
  only('settings.', given, Object.keys(settings))
  for (const [name, value] of Object.entries(given)) if (!settings[name]?.some(one => one === value)) invalid(`settings.${name}`, value)
  return given as KlingBody['settings']
}

function contentsOf(form: ModelForm, given: unknown): Entry[] {
  if (!Array.isArray(given) || given.length === 0) return refuse('contents cannot be empty')
  const entries = given.map((one: unknown, at) => entryOf(form, `contents[${at}]`, one))
  for (const [type, most] of Object.entries(form.contents ?? {}))
    if (entries.filter(one => one.type === type).length > most) refuse(`contents: too many of type '${type}'`)
  return entries
}

function entryOf(form: ModelForm, place: string, given: unknown): Entry {
  if (!isFields(given) || typeof given.type !== 'string' || !Object.hasOwn(form.contents ?? {}, given.type))
    return invalid(`${place}.type`, isFields(given) ? given.type : given)
  const { type, text, url } = given
  only(`${place}.`, given, type === 'prompt' ? ['type', 'text'] : ['type', 'url', 'id'])
  if (type === 'prompt') return { type, text: textOf(`${place}.text`, text, form) }
  return isAddress(url) ? { type, url: String(url) } : invalid(`${place}.url`, url)
}

function optionsOf(given: unknown): KlingBody['options'] {
  if (!isFields(given)) return invalid('options', given)
  only('options.', given, ['callback_url', 'external_task_id', 'watermark_info'])
  const { callback_url: callback = '', external_task_id: id = '', watermark_info: mark = {} } = given
  if (typeof callback !== 'string') return invalid('options.callback_url', callback)
  if (typeof id !== 'string' || id.length > 128) return invalid('options.external_task_id', id)
  if (!isFields(mark) || typeof (mark.enabled ?? false) !== 'boolean') return invalid('options.watermark_info', mark)
  return { ...(callback !== '' && { callback_url: callback }), ...(id !== '' && { external_task_id: id }) }
}

type Rule = (body: KlingBody, has: Set<string>) => void
const videos = ['feature_video', 'base_video']

/** What goes together, as the notes on the models' pages have it. */
const ruleFaults: Record<string, Rule> = {
  large_only({ settings }, has) {
    const isLarge = settings.resolution === '1080p'
    if (!isLarge && (settings.audio === 'native' || has.has('last_frame'))) invalid('settings.resolution', settings.resolution ?? '720p')
  },
  omni({ settings }, has) {
    const [hasFrame, hasVideo] = [has.has('first_frame'), videos.some(type => has.has(type))]
    if (has.has('last_frame') && !hasFrame) refuse('first_frame is required')
    if (!hasFrame && !hasVideo && !has.has('aspect_ratio')) refuse('settings.aspect_ratio is required')
    if (videos.every(type => has.has(type))) refuse('contents: one video at most')
    if (has.has('feature_video') && ((settings.audio ?? 'off') !== 'off' || settings.multi_shot === false))
      invalid('settings', 'feature_video')
    if (has.has('base_video') && (hasFrame || settings.audio === 'native')) invalid('settings', 'base_video')
  },
  o1({ settings }, has) {
    const isFrameAlone = has.has('first_frame') && ![...videos, 'refer_image'].some(type => has.has(type))
    const { duration = 5 } = settings
    if (isFrameAlone && duration !== 5 && duration !== 10) refuse('Duration only supports 5 or 10 seconds when no refer_image is provided')
  },
}
