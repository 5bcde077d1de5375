import { invariant } from '@filmgate/kit/failure'
import type { Submission } from '../connector'
import { requestFields } from '../mapping/request-fields'

/**
 * A submission as Vidu takes it: platform.vidu.com/docs/text-to-video, …/image-to-video, …/start-end-to-video, …/reference-to-video. Each kind of
 * task has a path of its own, which a route writes before the model: `img2video/viduq3-turbo`. Frames are one list, the first before the last.
 */
export function requestBody({ attemptId, providerModel, order, mapping, media, callbackUrl }: Submission): { path: string; body: object } {
  const [, path, model] = /^([a-z0-9-]+)\/([a-z0-9.-]+)$/.exec(providerModel) ?? []
  invariant(path && model, `a route to Vidu names a path and a model, not ${providerModel}`)
  const { 'images.first': first, 'images.last': last, ...fields } = requestFields(mapping, order, media)
  const frames = [first, last].filter(image => image !== undefined)
  return {
    path,
    body: {
      model,
      ...fields,
      ...(frames.length > 0 && { images: frames }),
      payload: attemptId,
      ...(callbackUrl && { callback_url: callbackUrl }),
    },
  }
}
