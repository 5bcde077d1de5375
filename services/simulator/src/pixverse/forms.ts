import { type Check, type Fields, isBoolean, isOneOf, isText, isWhole } from '../engine/fields'
import type { Images } from './images'

/**
 * What each kind of video takes: docs.platform.pixverse.ai, text-to-video-generation, image-to-video-generation and transition-generation, with what
 * pixverse-mcp 0.2.2 (models/requests.py) sends beside it. `required` are those that the pages say are.
 */
export type KindForm = { required: string[]; fields: string[] }

const common = ['model', 'prompt', 'duration', 'quality', 'negative_prompt', 'seed', 'motion_mode', 'water_mark', 'generate_audio_switch']
const always = ['model', 'prompt', 'duration', 'quality']
const forms: Record<string, KindForm> = {
  text: { required: [...always, 'aspect_ratio'], fields: [...common, 'aspect_ratio', 'generate_multi_clip_switch'] },
  img: { required: [...always, 'img_id'], fields: [...common, 'img_id', 'generate_multi_clip_switch'] },
  transition: { required: [...always, 'first_frame_img', 'last_frame_img'], fields: [...common, 'first_frame_img', 'last_frame_img'] },
}
export const formOf = (kind: string): KindForm | undefined => (Object.hasOwn(forms, kind) ? forms[kind] : undefined)

const checks: Record<string, Check> = {
  model: isOneOf('v6'),
  prompt: isText(Number.MAX_SAFE_INTEGER),
  negative_prompt: isText(Number.MAX_SAFE_INTEGER),
  duration: isWhole(1, 15),
  quality: isOneOf('360p', '540p', '720p', '1080p'),
  aspect_ratio: isOneOf('16:9', '4:3', '1:1', '3:4', '9:16', '2:3', '3:2', '21:9'),
  seed: isWhole(0, 2_147_483_647),
  motion_mode: isOneOf('normal'),
  water_mark: isBoolean,
  generate_audio_switch: isBoolean,
  generate_multi_clip_switch: isBoolean,
  img_id: isWhole(1),
  first_frame_img: isWhole(1),
  last_frame_img: isWhole(1),
}
/** In characters; of a text alone its page allows more than 2048. */
const promptMax = (kind: string): number => (kind === 'text' ? 5_000 : 2_048)

/** The code of the first fault: docs.platform.pixverse.ai/error-codes-796041m0. Stricter than PixVerse, which may pass over unknown fields. */
export function faultOf(kind: string, form: KindForm, input: Fields, images: Images): number | undefined {
  if (form.required.some(name => input[name] === undefined || input[name] === '')) return 400011
  if (Object.keys(input).some(name => !form.fields.includes(name))) return 400017
  if (Object.entries(input).some(([name, value]) => !checks[name]?.(value))) return 400013
  if ([...String(input.prompt)].length > promptMax(kind)) return 400018
  const named = [input.img_id, input.first_frame_img, input.last_frame_img].filter(id => typeof id === 'number')
  return named.every(id => images.find(id)) ? undefined : 400032
}
