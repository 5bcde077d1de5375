import { type Check, type Fields, isAddress, isAddresses, isBoolean, isFields, isOneOf, isText, isWhole, requestOf } from '../engine/fields'
import { type Answer, type Call, keyOfScheme, type Provider, refusalsOf } from '../engine/provider'
import { badKey, broken, invalid, notCancelled, notFound, predictionOf, refusals } from './answers'

/** Replicate's API, in the place of https://api.replicate.com/v1: predictions of official models. */
export const replicate: Provider = {
  name: 'replicate',
  prefix: '/replicate/v1',
  keyFault: keyOfScheme('Bearer', badKey),
  refusal: refusalsOf(refusals, broken),
  cutJson: '{"id":',
  routes: {
    'POST /models/:owner/:name/predictions': take,
    'GET /predictions/:id'({ params: { id = '' }, find, read }) {
      const generation = find(id)
      return generation ? { status: 200, body: predictionOf(read(generation), generation) } : notFound
    },
    'POST /predictions/:id/cancel'({ params: { id = '' }, find, read, cancel }) {
      const generation = find(id)
      if (!generation) return notFound
      const answer = cancel(generation, ['queued', 'running'])
      if (answer instanceof Response) return answer
      if (answer === 'refused') return notCancelled
      return { status: 200, body: predictionOf(read(generation), generation) }
    },
    'GET /account': () => ({ status: 200, body: { type: 'organization', username: 'simulator', name: 'Simulator', github_url: '' } }),
  },
}

/** An id of 26 letters and digits, as Replicate's. */
const newId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(26)), byte => (byte % 36).toString(36)).join('')

async function take({ params: { owner, name }, json, submit }: Call): Promise<Answer | Response> {
  const model = `${owner}/${name}`
  if (!models.includes(model)) return notFound
  const { input, webhook, webhook_events_filter: events, ...rest } = (await json()) ?? {}
  const [odd] = Object.keys(rest)
  if (odd) return invalid(odd, 'Additional property is not allowed')
  if (!isFields(input)) return invalid('input', 'is required')
  if (webhook !== undefined && !isAddress(webhook)) return invalid('webhook', 'must be an address')
  if (events !== undefined && !Bun.deepEquals(events, ['completed'])) return invalid('webhook_events_filter', 'only completed is here')
  const [field, description] = faultOf(input) ?? []
  if (field !== undefined) return invalid(`input.${field}`, description ?? '')
  return submit(readInput(model, input, webhook as string | undefined), {
    newId,
    accepted: (generation, toldId) => {
      const { acceptedAt, clientTaskId } = generation
      const at = new Date(acceptedAt).toISOString()
      const seen = { id: toldId, client_task_id: clientTaskId, status: 'queued', created_at: at, updated_at: at }
      return { status: 201, body: predictionOf(seen, generation) }
    },
    unfit: () => invalid('input', 'is nothing that can be rendered here'),
  })
}

/**
 * replicate.com/bytedance/seedance-2.0/versions/d456b64a/api and …/seedance-2.0-fast/versions/90388a62/api: the fields of both. The pages name no
 * values of `resolution` and `aspect_ratio` but defaults and examples: the list is that of the same model elsewhere.
 */
const models = ['bytedance/seedance-2.0', 'bytedance/seedance-2.0-fast']
const fields: Record<string, Check> = {
  prompt: isText(10_000, 1),
  image: isAddress,
  last_frame_image: isAddress,
  reference_images: isAddresses(9),
  reference_videos: isAddresses(3),
  reference_audios: isAddresses(3),
  // -1, the model's own choice, is not made here.
  duration: isWhole(4, 15),
  resolution: isOneOf('480p', '720p'),
  aspect_ratio: isOneOf('16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'),
  generate_audio: isBoolean,
  seed: isWhole(),
}

/** The first fault of an input. Stricter than Replicate, which leaves unknown fields out of account. */
function faultOf(input: Fields): [field: string, description: string] | undefined {
  for (const [name, value] of Object.entries(input)) if (!fields[name]?.(value)) return [name, fields[name] ? 'is invalid' : 'is unknown']
  if (input.prompt === undefined) return ['prompt', 'is required']
  const count = (name: string): number => (input[name] as string[] | undefined)?.length ?? 0
  const pictured = count('reference_images') + count('reference_videos')
  if (input.last_frame_image !== undefined && input.image === undefined) return ['last_frame_image', 'needs an image']
  if (input.image !== undefined && pictured > 0) return ['image', 'cannot be combined with references']
  return count('reference_audios') > 0 && pictured === 0 ? ['reference_audios', 'needs an image or a video'] : undefined
}

/** With the defaults of the page. Its `client_task_id` is made up: Replicate takes none. */
function readInput(model: string, input: Fields, webhook: string | undefined) {
  return requestOf({
    client_task_id: `replicate_${crypto.randomUUID()}`,
    model,
    prompt: String(input.prompt),
    duration_seconds: Number(input.duration ?? 5),
    resolution: String(input.resolution ?? '720p'),
    aspect_ratio: String(input.aspect_ratio ?? '16:9'),
    seed: input.seed as number | undefined,
    generate_audio: (input.generate_audio as boolean | undefined) ?? true,
    first_frame_url: input.image as string | undefined,
    last_frame_url: input.last_frame_image as string | undefined,
    reference_images: input.reference_images as string[] | undefined,
    reference_videos: input.reference_videos as string[] | undefined,
    reference_audios: input.reference_audios as string[] | undefined,
    callback_url: webhook,
  })
}
