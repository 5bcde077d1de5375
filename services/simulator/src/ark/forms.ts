import { type Check, isAddress, isBoolean, isOneOf, isText, isWhole } from '../engine/fields'
import models from './models.json' with { type: 'json' }

const sceneNames = ['text', 'frames', 'references'] as const
export type SceneName = (typeof sceneNames)[number]

/** What one of Ark's models takes, under both its names, as the pages in `source` have it. A scene's roles are each with how many there may be. */
export type ModelForm = {
  models: string[]
  source: string
  seconds: { min: number; max: number }
  /** Beside those of every model. */
  fields: string[]
  resolutions: string[]
  ratios: string[]
  scenes: Partial<Record<SceneName, Record<string, number>>>
  /** Where a scene has fewer of them. */
  ratios_in?: Partial<Record<SceneName, string[]>>
  resolutions_in?: Partial<Record<SceneName, string[]>>
  /** References may be sound and nothing else. */
  audio_alone?: boolean
}

/** A refusal's words: docs.byteplus.com/en/docs/ModelArk/1299023. */
export type ArkFault = { code: string; message: string; param?: string }
export type ArkRequest = Record<string, unknown>
export type MediaItem = { role: string; url: string }
export type Content = { text: string; media: MediaItem[]; scene: SceneName }

const forms = new Map((models as unknown as ModelForm[]).flatMap(form => form.models.map((name): [string, ModelForm] => [name, form])))
export const formOf = (model: unknown): ModelForm | undefined => (typeof model === 'string' ? forms.get(model) : undefined)

/** docs.byteplus.com/en/docs/ModelArk/1520757. What can't be made here (drafts, frames, other tiers) is refused. */
const common: Record<string, Check> = {
  model: isText(200, 1),
  content: Array.isArray,
  callback_url: isAddress,
  return_last_frame: isOneOf(false),
  service_tier: isOneOf('default'),
  execution_expires_after: isWhole(3_600, 259_200),
  resolution: isText(20, 1),
  ratio: isText(20, 1),
  duration: isWhole(1, 60),
  watermark: isBoolean,
  safety_identifier: isText(64, 1),
}
const further: Record<string, Check> = {
  generate_audio: isBoolean,
  camera_fixed: isBoolean,
  seed: isWhole(-1, 4_294_967_295),
  priority: isWhole(0, 9),
}

const fault = (param: string, words = 'is not valid'): ArkFault => ({
  code: 'InvalidParameter',
  message: `The parameter \`${param}\` specified in the request ${words}.`,
  param,
})

/** The first fault of a request whose content was read. Stricter than Ark, which has defaults for length and size, some of them dearer. */
export function faultOf(form: ModelForm, request: ArkRequest, { scene }: Content): ArkFault | undefined {
  for (const [name, value] of Object.entries(request)) {
    const isTaken = common[name] ?? (form.fields.includes(name) ? further[name] : undefined)
    if (!isTaken) return fault(name, 'is not supported by this model')
    if (!isTaken(value)) return fault(name)
  }
  for (const param of ['duration', 'resolution'])
    if (request[param] === undefined)
      return { code: 'MissingParameter', message: `The request failed because it is missing \`${param}\`.`, param }
  const { duration, resolution, ratio } = request as { duration: number; resolution: string; ratio?: string }
  if (duration < form.seconds.min || duration > form.seconds.max) return fault('duration')
  if (!(form.resolutions_in?.[scene] ?? form.resolutions).includes(resolution)) return fault('resolution')
  if (ratio !== undefined && !(form.ratios_in?.[scene] ?? form.ratios).includes(ratio)) return fault('ratio')
  return undefined
}

/** `--dur 12` and the like are parameters at Ark, and which side wins is not documented: here nothing that holds one may arrive. */
const parameter = /(^|\s)--[a-z]/i
const types: Record<string, string> = { image: 'image_url', video: 'video_url', audio: 'audio_url' }
const typeOf = (role: string): string => types[role.replace('reference_', '')] ?? 'image_url'

/** The text, and the media by what they are for. Frames and references exclude each other. */
export function readContent(form: ModelForm, content: unknown): Content | ArkFault {
  if (!Array.isArray(content) || content.length === 0) return { code: 'MissingParameter', message: 'No content.', param: 'content' }
  const [first, ...others] = content.map(item => (typeof item === 'object' && item !== null ? (item as Record<string, unknown>) : {}))
  if (first?.type !== 'text' || typeof first.text !== 'string' || first.text === '') return fault('content[0].text')
  if (parameter.test(first.text)) return fault('content[0].text', 'holds a parameter')
  const media = others.flatMap(item => mediaItemOf(item) ?? [])
  if (media.length < others.length) return fault('content')
  const scene = sceneNames.find(name => isScene(form, name, media))
  return scene ? { text: first.text, media, scene } : fault('content', 'mixes scenes, or has more than this model takes')
}

/** `{type: 'image_url', image_url: {url}, role}`; undefined where it is anything else. */
function mediaItemOf({ type, role, ...item }: Record<string, unknown>): MediaItem | undefined {
  if (typeof role !== 'string' || type !== typeOf(role) || Object.keys(item).length !== 1) return undefined
  const { url } = (item[typeOf(role)] ?? {}) as { url?: unknown }
  return isAddress(url) ? { role, url: String(url) } : undefined
}

function isScene({ scenes, audio_alone: audioAlone }: ModelForm, name: SceneName, media: MediaItem[]): boolean {
  const places = scenes[name]
  const count = (role: string) => media.filter(one => one.role === role).length
  if (!places || !media.every(({ role }) => count(role) <= (places[role] ?? 0))) return false
  if (name === 'text') return media.length === 0
  if (name === 'frames') return count('first_frame') === 1
  return count('reference_audio') < media.length || (audioAlone === true && media.length > 0)
}
