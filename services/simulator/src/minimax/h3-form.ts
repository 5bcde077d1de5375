import { type Check, type Fields, isAddress, isBoolean, isFields, isOneOf, isText, isWhole, requestOf } from '../engine/fields'
import models from './models.json' with { type: 'json' }

type H3Model = { model: string; resolutions: string[]; seconds: { min: number; max: number }; fields: string[] }

const forms = new Map((models as unknown as H3Model[]).filter(one => one.resolutions !== undefined).map(form => [form.model, form]))
export const isH3 = (model: unknown): boolean => forms.has(String(model))

/** One entry of `content`, read: its role, or that it is the prompt. */
type Entry = { role: string; value: string }

/** Roles with the type of their entries, and how many there may be: video-generation-v2-create, `content`. */
const roles: Record<string, { type: string; max: number }> = {
  first_frame: { type: 'image_url', max: 1 },
  last_frame: { type: 'image_url', max: 1 },
  reference_image: { type: 'image_url', max: 9 },
  reference_video: { type: 'video_url', max: 3 },
  reference_audio: { type: 'audio_url', max: 3 },
}
const ratios = ['adaptive', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16']
const expansions = ['disabled', 'balanced', 'quality']

const fields: Record<string, Check> = {
  model: isH3,
  content: Array.isArray,
  resolution: isText(20),
  duration: isWhole(),
  ratio: isOneOf(...ratios),
  extra: value => isFields(value) && only(value, ['prompt_expansion_mode']) && expansions.includes(String(value.prompt_expansion_mode)),
  callback_url: isAddress,
  aigc_watermark: isBoolean,
}

/** What is wrong with a body, in the words of 2013; stricter than MiniMax, of which no page says that it refuses what it doesn't know. */
export function h3Fault(body: Fields): string | undefined {
  const form = forms.get(String(body.model))
  if (!form) return `model ${String(body.model)} is unknown`
  const { resolution, duration, content, ratio } = body
  const odd = Object.entries(body).find(([name, value]) => !fields[name]?.(value) || (name === 'extra' && !form.fields.includes(name)))
  if (odd) return `${odd[0]} is not as it has to be`
  if (!form.resolutions.includes(String(resolution))) return `${form.model} has no resolution ${String(resolution)}`
  const { min, max } = form.seconds
  if (typeof duration !== 'number' || duration < min || duration > max) return `${form.model} has ${min} to ${max} seconds`
  const entries = entriesOf(content)
  if (!entries) return 'content holds what it has no place for'
  return contentFault(entries, ratio)
}

function contentFault(entries: Entry[], ratio: unknown): string | undefined {
  const own = (name: string) => entries.filter(({ role }) => role === name)
  if (own('text').length !== 1) return 'content must include a non-empty text item (prompt is required)'
  const crowded = Object.entries(roles).find(([role, { max }]) => own(role).length > max)
  if (crowded) return `content has too many of ${crowded[0]}`
  const isFrame = ({ role }: Entry) => role.endsWith('_frame')
  const isReference = ({ role }: Entry) => role.startsWith('reference_')
  if (entries.some(isFrame) && entries.some(isReference)) return 'frames and references exclude each other'
  if (entries.length === 1 && (ratio === undefined || ratio === 'adaptive')) return 'ratio is required and can’t be adaptive'
  return undefined
}

/** Undefined where an entry is none. */
function entriesOf(content: unknown): Entry[] | undefined {
  const read: (Entry | undefined)[] = Array.isArray(content) ? content.map(entryOf) : [undefined]
  return read.every(one => one !== undefined) ? read : undefined
}

function entryOf(entry: unknown): Entry | undefined {
  if (!isFields(entry)) return undefined
  const { type, text } = entry
  if (type === 'text') {
    const isPrompt = only(entry, ['type', 'text']) && typeof text === 'string' && text !== '' && [...text].length <= 7_000
    return isPrompt ? { role: 'text', value: text } : undefined
  }
  const role = String(entry.role ?? (type === 'image_url' ? 'first_frame' : ''))
  const media = entry[String(type)]
  if (roles[role]?.type !== type || !only(entry, ['type', 'role', String(type)])) return undefined
  return isFields(media) && only(media, ['url']) && isAddress(media.url) ? { role, value: String(media.url) } : undefined
}

const only = (value: Fields, names: string[]): boolean => Object.keys(value).every(name => names.includes(name))

/** A checked body as the simulator's own request. MiniMax takes no id of the caller's. */
export function readH3(body: Fields) {
  const entries = entriesOf(body.content) ?? []
  const urls = (role: string) => entries.filter(one => one.role === role).map(({ value }) => value)
  const hasFrames = entries.some(({ role }) => role.endsWith('_frame'))
  return requestOf({
    client_task_id: `minimax_${crypto.randomUUID()}`,
    model: String(body.model),
    prompt: urls('text')[0],
    duration_seconds: Number(body.duration),
    resolution: String(body.resolution).toLowerCase(),
    // A frame’s own ratio is taken whatever is asked for.
    aspect_ratio: hasFrames ? 'adaptive' : String(body.ratio ?? 'adaptive'),
    first_frame_url: urls('first_frame')[0],
    last_frame_url: urls('last_frame')[0],
    reference_images: urls('reference_image'),
    reference_videos: urls('reference_video'),
    reference_audios: urls('reference_audio'),
    callback_url: body.callback_url as string | undefined,
    watermark: body.aigc_watermark as boolean | undefined,
  })
}
