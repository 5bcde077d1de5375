import { randomInt } from 'node:crypto'
import { requestOf } from '../engine/fields'
import { type Answer, type Call, keyOfScheme, type OwnGeneration, type Provider, refusalsOf } from '../engine/provider'
import { refuse } from '../errors'
import { lookUp, readMany } from '../generation/read'
import { acceptedAnswer, badKey, broken, noModel, refusals, refused, taskOf } from './answers'
import { type ArkRequest, type Content, faultOf, formOf, readContent } from './forms'

/** Ark's API, in the place of https://ark.cn-beijing.volces.com/api/v3. There is no DELETE: nothing of ours may send one. */
export const ark: Provider = {
  name: 'ark',
  prefix: '/ark/api/v3/contents/generations/tasks',
  keyFault: keyOfScheme('Bearer', badKey),
  refusal: refusalsOf(refusals, broken),
  cutJson: '{"id":',
  headers: () => ({ 'x-request-id': crypto.randomUUID() }),
  routes: {
    async 'POST /'({ json, submit }) {
      const body = await json()
      if (!body) return invalid('The body is not JSON.')
      // Ark's own client says null for what it was not given.
      const wanted: ArkRequest = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
      const form = formOf(wanted.model)
      if (!form) return noModel(wanted.model)
      const content = readContent(form, wanted.content)
      if ('code' in content) return refused(400, content)
      const fault = faultOf(form, wanted, content)
      if (fault) return refused(400, fault)
      const { safety_identifier: safetyIdentifier } = wanted as { safety_identifier?: string }
      return submit(readRequest(wanted, content), {
        fake: { ...(safetyIdentifier && { safetyIdentifier }) },
        newId: newTaskId,
        accepted: acceptedAnswer,
        unfit: () => invalid('Nothing that can be rendered here.'),
      })
    },
    'GET /': list,
    'GET /:id'({ params: { id = '' }, find, read }) {
      const generation = find(id)
      if (!generation) throw refuse('not_found')
      return { status: 200, body: taskOf(read(generation), generation) }
    },
  },
}

const invalid = (message: string, param?: string): Answer => refused(400, { code: 'InvalidParameter', message, ...(param && { param }) })

/** `cgt-20250629201507-n6k56`; more letters than Ark’s, so that no two are the same. */
const newTaskId = (): string => {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  return `cgt-${time}-${randomInt(2 ** 47)
    .toString(36)
    .padStart(10, '0')}`
}

/** A checked request as the simulator's own. Without a ratio Ark follows the picture, and is 16:9 or what it chooses where there is none. */
function readRequest(request: ArkRequest, { text, media }: Content) {
  const urlsOf = (role: string) => media.filter(one => one.role === role).map(({ url }) => url)
  return requestOf({
    // Two submits are two tasks, whatever they have in common.
    client_task_id: `ark_${crypto.randomUUID()}`,
    model: String(request.model),
    prompt: text,
    duration_seconds: Number(request.duration),
    resolution: String(request.resolution),
    aspect_ratio: String(request.ratio ?? 'adaptive'),
    seed: request.seed === -1 ? undefined : (request.seed as number | undefined),
    generate_audio: request.generate_audio as boolean | undefined,
    watermark: request.watermark as boolean | undefined,
    first_frame_url: urlsOf('first_frame')[0],
    last_frame_url: urlsOf('last_frame')[0],
    reference_images: urlsOf('reference_image'),
    reference_videos: urlsOf('reference_video'),
    reference_audios: urlsOf('reference_audio'),
    callback_url: request.callback_url as string | undefined,
  })
}

const pageMax = 500
const queries = ['page_num', 'page_size', 'filter.status', 'filter.task_ids', 'filter.model', 'filter.service_tier']

/** A page of tasks, newest first, which is not documented; with ids only those, and unknown ones are left out. */
function list({ request, deps, find }: Call): Answer {
  const query = new URL(request.url).searchParams
  const odd = [...query.keys()].find(name => !queries.includes(name))
  if (odd) return invalid(`The parameter \`${odd}\` is unknown.`, odd)
  const [number = 0, size = 0] = [Number(query.get('page_num') ?? 1), Number(query.get('page_size') ?? 10)]
  if (![number, size].every(one => Number.isSafeInteger(one) && one >= 1 && one <= pageMax))
    return invalid('page_num and page_size are from 1 to 500.', 'page_size')
  const ids = query.getAll('filter.task_ids')
  const [status, model] = [query.get('filter.status'), query.get('filter.model')]
  const all = ids.length > 0 ? ids.flatMap(id => find(id) ?? []) : (deps.store.ofFake('ark') as OwnGeneration[])
  const fitting = all.filter(one => (status ?? one.status) === one.status && (model ?? one.fake.model) === one.fake.model)
  const page = fitting.slice((number - 1) * size, number * size)
  // What a list shows of one: with its id as a poll does, without as a look-up.
  const viewsOf = ({ id, clientTaskId }: OwnGeneration) =>
    ids.length > 0 || clientTaskId === null ? readMany(deps, [id]) : lookUp(deps, clientTaskId)
  const items = page.flatMap(one => viewsOf(one).map(view => taskOf(view, one)))
  // What is not shown is not counted.
  return { status: 200, body: { total: fitting.length - (page.length - items.length), items } }
}
