import { requestOf } from '../engine/fields'
import { keyOfScheme, type Provider, refusalsOf } from '../engine/provider'
import { acceptedAnswer, badKey, broken, faultAnswer, keyAnswer, noKey, notFound, refusals, resultAnswer } from './answers'
import { type Body, readBody } from './forms'

/** xAI's API, in the place of https://api.x.ai/v1. */
export const xai: Provider = {
  name: 'xai',
  prefix: '/xai/v1',
  keyFault: keyOfScheme('Bearer', badKey, noKey),
  refusal: refusalsOf(refusals, broken),
  cutJson: '{"request_id":',
  headers: () => ({ 'x-request-id': crypto.randomUUID() }),
  routes: {
    async 'POST /videos/generations'({ json, submit }) {
      const given = readBody(await json())
      if ('fault' in given) return faultAnswer(given.fault)
      return submit(readRequest(given.body), {
        newId: () => crypto.randomUUID(),
        accepted: (_, toldId) => acceptedAnswer(toldId),
        unfit: () => faultAnswer({ status: 400, message: 'Nothing that can be rendered here.' }),
      })
    },
    // By the id that was told, and no other: xAI knows none of the caller's.
    'GET /videos/:id'({ params: { id = '' }, find, read }) {
      const generation = find(id)
      return generation ? resultAnswer(read(generation), generation) : notFound
    },
    'GET /api-key': () => keyAnswer,
  },
}

/** With xAI's defaults (xai-sdk 1.21.0, video.py). The ratio of a video that begins with a picture is the picture's. */
function readRequest({ image, reference_images: references, aspect_ratio: ratio = '16:9', ...body }: Body) {
  return requestOf({
    client_task_id: `xai_${crypto.randomUUID()}`,
    model: body.model,
    prompt: body.prompt,
    duration_seconds: body.duration ?? 8,
    resolution: body.resolution ?? '480p',
    aspect_ratio: image ? 'adaptive' : ratio,
    generate_audio: body.generate_audio,
    first_frame_url: image?.url,
    reference_images: references?.map(({ url }) => url),
  })
}
