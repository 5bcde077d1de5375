import { type Check, type Fields, isAddress, isFields, isOneOf, isText, requestOf } from '../engine/fields'
import { type Answer, type Call, keyOfScheme, type Provider, refusalsOf } from '../engine/provider'
import { outputOrigin } from '../generation/read'
import { type OutputDeps, outputAnswer } from '../output/routes'
import { badKey, broken, invalid, noModel, notFound, refusals, sizes, videoOf } from './answers'

const models = ['veo-3.1-fast-generate-preview', 'seedance-2-0-fast']

/** OpenAI's `/v1/videos` as gateways speak it, at any address. There are no lists, remixes and deletions. */
export const openAiVideos = (deps: OutputDeps): Provider => ({
  name: 'openai-videos',
  prefix: '/openai-videos/v1',
  keyFault: keyOfScheme('Bearer', badKey),
  refusal: refusalsOf(refusals, broken),
  cutJson: '{"id":',
  routes: {
    'POST /videos': take,
    'GET /videos/:id'({ params: { id = '' }, find, read }) {
      const generation = find(id)
      return generation ? { status: 200, body: videoOf(read(generation), generation) } : notFound
    },
    'GET /videos/:id/content'({ params: { id = '' }, find, deps: reader }) {
      const generation = find(id)
      const origin = generation ? outputOrigin(reader, generation) : reader.origin
      // As a gateway does that leads on to where its provider has it.
      return origin === reader.origin ? outputAnswer(deps, generation) : Response.redirect(`${origin}/outputs/${id}.mp4`, 302)
    },
    'GET /models': () => ({
      status: 200,
      body: { object: 'list', data: models.map(id => ({ id, object: 'model', owned_by: 'simulator' })) },
    }),
  },
})

const isImage: Check = value => isFields(value) && Object.keys(value).join() === 'image_url' && isAddress(value.image_url)

/** The types of openai 7.57.0 (npm); which lengths a model has is its own matter. An image comes by its address, not as a file. */
const fields: Record<string, Check> = {
  model: isText(100, 1),
  prompt: isText(14_000, 1),
  seconds: isOneOf('4', '5', '6', '8', '10', '12'),
  size: isOneOf(...Object.keys(sizes)),
  input_reference: isImage,
}

async function take(call: Call): Promise<Answer | Response> {
  const body = await fieldsOf(call)
  if (!body) return invalid('body')
  for (const [name, value] of Object.entries(body)) if (!fields[name]?.(value)) return invalid(name)
  if (body.prompt === undefined) return invalid('prompt')
  const { model, input_reference: image } = body as { model: string; input_reference?: { image_url: string } }
  if (!models.includes(model)) return noModel
  const [resolution, ratio] = sizes[String(body.size ?? '720x1280')] ?? []
  const request = requestOf({
    client_task_id: `openai_videos_${crypto.randomUUID()}`,
    ...{ model, prompt: String(body.prompt), duration_seconds: Number(body.seconds ?? 4), resolution, aspect_ratio: ratio },
    ...{ generate_audio: true, first_frame_url: image?.image_url },
  })
  return call.submit(request, {
    newId: () => `video_${crypto.randomUUID().replaceAll('-', '')}`,
    accepted(generation, id) {
      const at = new Date(generation.acceptedAt).toISOString()
      const seen = { id, client_task_id: generation.clientTaskId, status: 'queued', created_at: at, updated_at: at }
      return { status: 200, body: videoOf(seen, generation) }
    },
    unfit: () => invalid('size'),
  })
}

/** JSON, or a form, in which OpenAI's clients put an address as `input_reference[image_url]`. */
async function fieldsOf({ request, json }: Call): Promise<Fields | undefined> {
  if (!request.headers.get('content-type')?.startsWith('multipart/form-data')) return json()
  const form = await request.formData().catch(() => undefined)
  const { 'input_reference[image_url]': url, ...given } = Object.fromEntries(form ?? [])
  return form && { ...given, ...(url !== undefined && { input_reference: { image_url: url } }) }
}
