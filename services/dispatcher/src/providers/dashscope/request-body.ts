import { invariant } from '@filmgate/kit/failure'
import type { Submission } from '../connector'
import { requestFields } from '../mapping/request-fields'

type Fields = Record<string, unknown>

/**
 * A submission as DashScope takes it: `input` is what a video is made of, `parameters` how. A route's fields name their places
 * (`parameters.duration`); `input.media.first_frame` and the like are entries of one list, where each kind keeps the order of the request.
 */
export function requestBody({ providerModel, order, mapping, media: handed }: Submission): Fields {
  const parts: Record<string, Fields> = { input: {}, parameters: {} }
  const media: { type: string; url: unknown }[] = []
  for (const [path, value] of Object.entries(requestFields(mapping, order, handed))) {
    const [part = '', name = '', type, ...more] = path.split('.')
    const place = parts[part]
    const isPlace = more.length === 0 && (type === undefined || (part === 'input' && name === 'media'))
    invariant(place && name && isPlace, `DashScope has no place ${path}`)
    if (type === undefined) place[name] = value
    else media.push(...[value].flat().map(url => ({ type, url })))
  }
  return { model: providerModel, ...parts, ...(media.length > 0 && { input: { ...parts.input, media } }) }
}
