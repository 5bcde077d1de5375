import { invariant } from '@filmgate/kit/failure'
import type { Submission } from '../connector'
import { requestFields } from '../mapping/request-fields'

/** These hold an image by the id that its upload gave it, a number. */
const imageFields = ['img_id', 'first_frame_img', 'last_frame_img']

/**
 * A submission as PixVerse takes it: docs.platform.pixverse.ai, text-to-video-generation, image-to-video-generation and transition-generation. Each kind
 * has a path of its own, which a route writes before the model: `img/v6`.
 */
export function requestBody({ providerModel, order, mapping, media }: Submission): { path: string; body: object } {
  const [, kind, model] = /^([a-z]+)\/([a-z0-9.]+)$/.exec(providerModel) ?? []
  invariant(kind && model, `a route to PixVerse names a kind and a model, not ${providerModel}`)
  const fields = Object.entries(requestFields(mapping, order, media)).map(([name, value]): [string, unknown] => {
    if (!imageFields.includes(name)) return [name, value]
    invariant(/^\d{1,16}$/.test(String(value)), 'an image was uploaded before it is named')
    return [name, Number(value)]
  })
  return { path: `video/${kind}/generate`, body: { model, ...Object.fromEntries(fields) } }
}

/** PixVerse wants a UUID for each request, and makes one video of those that have the same. An attempt's id is at_ and one without its dashes. */
export function traceIdOf(attemptId: string): string {
  const [, ...parts] = /^at_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(attemptId) ?? []
  invariant(parts.length === 5, 'an attempt’s id is at_ and a UUID')
  return parts.join('-')
}
