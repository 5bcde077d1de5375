import type { Submission } from '../connector'
import { requestFields } from '../mapping/request-fields'

/** What a route names a medium after, and the type that Ark has such an item under. In the order in which they are sent. */
const roles = {
  first_frame: 'image_url',
  last_frame: 'image_url',
  reference_image: 'image_url',
  reference_video: 'video_url',
  reference_audio: 'audio_url',
} as const

export type ArkBody = { model: string; content: object[]; resolution?: unknown; duration?: unknown; [field: string]: unknown }

/** A submission as a task of Ark's: docs.byteplus.com/en/docs/ModelArk/1520757. A route's fields are those of the body, `prompt`, and the roles of media. */
export function requestBody({ attemptId, providerModel, order, mapping, media, callbackUrl }: Submission, marksAttempts: boolean): ArkBody {
  const { prompt, ...fields } = requestFields(mapping, order, media)
  const items = Object.entries(roles).flatMap(([role, type]) => {
    const urls = [fields[role] ?? []].flat()
    return urls.map(url => ({ type, [type]: { url }, role }))
  })
  return {
    model: providerModel,
    content: [{ type: 'text', text: prompt }, ...items],
    ...Object.fromEntries(Object.entries(fields).filter(([field]) => !Object.hasOwn(roles, field))),
    ...(callbackUrl && { callback_url: callbackUrl }),
    ...(marksAttempts && { safety_identifier: attemptId }),
  }
}

/**
 * `--dur 12 --rs 1080p` in a prompt are parameters to every model of Ark's, in a lenient way, and no page says whether they or the body's win
 * (volcengine.com/docs/82379/1520757). Whatever stands like one is taken for one, and the names that are known wherever they stand.
 */
const parameter =
  /(^|\s)--[a-z]|--(rs|resolution|rt|ratio|dur|duration|frames|fps|framespersecond|seed|cf|camera_?fixed|wm|watermark)(?![a-z])/i

/** Why a task must not be sent: it could be dearer than what was ordered. */
export function dearerBy(body: ArkBody, prompt: string): string | undefined {
  if (parameter.test(prompt)) return 'the prompt holds what Ark takes for a parameter'
  // Left out, the model chooses: on some up to 30 s, or 1080p.
  if (typeof body.duration !== 'number' || body.duration <= 0) return 'the route says no duration'
  if (typeof body.resolution !== 'string') return 'the route says no resolution'
  return undefined
}

/** BytePlus has the same models under names of its own (docs.byteplus.com/en/docs/ModelArk/1330310); routes have Volcengine's. */
export const modelAt = (base: string, model: string): string =>
  new URL(base).hostname.endsWith('.bytepluses.com')
    ? model.replace(/^doubao-(?=seedance-1)/, '').replace(/^doubao-(?=seedance-2)/, 'dreamina-')
    : model
