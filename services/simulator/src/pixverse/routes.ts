import { type Fields, requestOf } from '../engine/fields'
import type { Answer, Call, Handler, Provider } from '../engine/provider'
import { refusalsOf } from '../engine/provider'
import { badKey, balanceAnswer, ownFault, refusals, refused, submittedAnswer, told, videoAnswer } from './answers'
import { faultOf, formOf } from './forms'
import type { Images } from './images'

export type PixverseDeps = { images: Images }

/**
 * PixVerse's API, in the place of https://app-api.pixverse.ai/openapi/v2. The key is in a header of its own, beside a trace id that is a UUID. A
 * read or an upload under a trace id that was answered before is answered as then.
 */
export function pixverse({ images }: PixverseDeps): Provider {
  const once = rememberAnswers()
  return {
    name: 'pixverse',
    prefix: '/pixverse',
    keyFault(headers, isKey) {
      if (!isKey(headers.get('api-key') ?? '')) return badKey
      return uuidForm.test(traceIdOf(headers)) ? undefined : refused(400017)
    },
    refusal: refusalsOf(refusals, ownFault),
    cutJson: '{"ErrCode":0,',
    routes: {
      'POST /openapi/v2/video/:kind/generate': call => take(images, call),
      'POST /openapi/v2/image/upload': once(call => keep(images, call)),
      'GET /openapi/v2/video/result/:id': once(({ params: { id = '' }, find, read }) => {
        const generation = find(id)
        return generation ? videoAnswer(read(generation), generation) : refused(500008)
      }),
      'GET /openapi/v2/account/balance': once(() => balanceAnswer),
    },
    publicRoutes: {
      'GET /images/:id'({ params: { id } }) {
        const image = images.find(Number(id))
        return image ? new Response(Bun.file(image.path), { headers: { 'content-type': image.contentType } }) : { status: 404, body: null }
      },
    },
  }
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const traceIdOf = (headers: Headers): string => headers.get('ai-trace-id') ?? ''

/** Beyond them the oldest are forgotten. */
const rememberedMax = 10_000

function rememberAnswers() {
  const remembered = new Map<string, Answer>()
  return (handler: (call: Call) => Answer | Promise<Answer>): Handler =>
    async call => {
      const traceId = traceIdOf(call.request.headers)
      const before = remembered.get(traceId)
      const given = before ?? (await handler(call))
      if (!before && given.status === 200) remembered.set(traceId, given)
      const [oldest] = remembered.keys()
      if (remembered.size > rememberedMax && oldest !== undefined) remembered.delete(oldest)
      return given
    }
}

/** Takes a submit; one whose trace id made a video before is answered with that, whatever it says. */
async function take(images: Images, { params: { kind = '' }, request, origin, json, submit }: Call): Promise<Answer | Response> {
  const form = formOf(kind)
  if (!form) return refused(400017, 404)
  const input = await json()
  if (!input) return refused(400013)
  const fault = faultOf(kind, form, input, images)
  if (fault !== undefined) return refused(fault)
  return submit(readRequest(input, traceIdOf(request.headers), origin), {
    newId: newVideoId,
    accepted: (generation, toldId) => submittedAnswer(toldId, generation),
    unfit: () => refused(400017),
  })
}

/** A number beyond 32 bits of which JSON loses no digit. */
const newVideoId = (): string => String(343_252_978_600_000 + (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0))

const imageUrl = (origin: string, id: unknown): string => `${origin}/pixverse/images/${id}`

function readRequest(input: Fields, traceId: string, origin: string) {
  const urlOf = (id: unknown) => (id === undefined ? undefined : imageUrl(origin, id))
  return requestOf({
    client_task_id: `pixverse_${traceId}`,
    model: String(input.model),
    prompt: String(input.prompt),
    duration_seconds: Number(input.duration),
    resolution: String(input.quality),
    aspect_ratio: String(input.aspect_ratio ?? 'adaptive'),
    seed: input.seed as number | undefined,
    generate_audio: (input.generate_audio_switch as boolean | undefined) ?? false,
    watermark: input.water_mark as boolean | undefined,
    first_frame_url: urlOf(input.img_id ?? input.first_frame_img),
    last_frame_url: urlOf(input.last_frame_img),
  })
}

const imageTypes = ['image/png', 'image/jpeg', 'image/jpg', 'image/webp']

async function keep(images: Images, { request, origin }: Call): Promise<Answer> {
  if (request.headers.get('content-length') === null) return refused(400013)
  const form = await request.formData().catch(() => undefined)
  const [[name, file] = [], ...more] = [...(form?.entries() ?? [])]
  if (name !== 'image' || !(file instanceof File) || more.length > 0) return refused(400017)
  if (!imageTypes.includes(file.type)) return refused(500032)
  const id = images.keep({ bytes: new Uint8Array(await file.arrayBuffer()), contentType: file.type })
  return told({ img_id: id, img_url: imageUrl(origin, id) })
}
