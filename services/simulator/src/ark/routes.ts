import { createHash, randomInt, timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import { refuse } from '../errors'
import { isKnownSize } from '../generation/frame-size'
import { type Face, type Generation, generationForm } from '../generation/generation'
import type { GenerationStore } from '../generation/generation-store'
import { lookUp, type ReadDeps, read, readMany } from '../generation/read'
import { cutConnection } from '../generation/routes'
import { type SubmitDeps, submit } from '../generation/submit'
import { type Answer, acceptedAnswer, badKey, broken, noModel, refusalAnswer, refused, taskOf } from './answers'
import { type ArkFault, type ArkRequest, type Content, faultOf, formOf, readContent } from './forms'
import { readRequest } from './read-request'

export type ArkDeps = SubmitDeps & Omit<ReadDeps, 'origin'> & { store: GenerationStore; key: string; publicUrl: string | undefined }

const path = '/ark/api/v3/contents/generations/tasks'

/**
 * The simulator in Ark's format, under /ark/api/v3 in the place of https://ark.cn-beijing.volces.com/api/v3: the same generations, and the same
 * lies. There is no DELETE: nothing of ours may send one.
 */
export const arkFace = (deps: ArkDeps) =>
  new Elysia({ name: 'ark', prefix: path, normalize: false })
    .post(
      '/',
      async function postArkTask({ request, server }) {
        // An answer may be later than the server keeps an idle connection.
        server?.timeout(request, 0)
        return answered(deps, request, () => take(deps, request))
      },
      { parse: 'none' },
    )
    .get('/', async function getArkTasks({ request }) {
      return answered(deps, request, async () => shown(list(deps, request)))
    })
    .get('/:id', async function getArkTask({ params, request }) {
      return answered(deps, request, async () => {
        const generation = find(deps, params.id)
        if (!generation) throw refuse('not_found')
        return shown({ status: 200, body: taskOf(read({ ...deps, origin: originOf(deps, request) }, generation.id), generation) })
      })
    })

const shown = ({ status, body }: Answer): Response => Response.json(body, { status, headers: { 'x-request-id': crypto.randomUUID() } })

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** `Authorization: Bearer …` and nothing else; a refusal of the engine's is one of Ark's. */
async function answered({ key }: ArkDeps, request: Request, answer: () => Promise<Response>): Promise<Response> {
  const given = request.headers.get('authorization')?.match(/^Bearer (\S+)$/)?.[1] ?? ''
  if (!timingSafeEqual(digest(given), digest(key))) return shown(badKey)
  try {
    return await answer()
  } catch (error) {
    const refusal = refusalAnswer(error)
    if (!refusal) throw error
    return shown(refusal)
  }
}

const originOf = ({ publicUrl }: ArkDeps, request: Request): string => publicUrl ?? new URL(request.url).origin

const find = ({ store }: ArkDeps, id: string): Generation | undefined => {
  const generation = store.find(id)
  return generation?.face?.name === 'ark' ? generation : undefined
}

const invalid = (message: string, param?: string): Answer => refused(400, { code: 'InvalidParameter', message, ...(param && { param }) })

async function take(deps: ArkDeps, request: Request): Promise<Response> {
  const body: unknown = await request.json().catch(() => undefined)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return shown(invalid('The body is not JSON.'))
  // Ark's own client says null for what it was not given.
  const wanted: ArkRequest = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
  const form = formOf(wanted.model)
  if (!form) return shown(noModel(wanted.model))
  const content = readContent(form, wanted.content)
  if (isFault(content)) return shown(refused(400, content))
  const fault = faultOf(form, wanted, content)
  if (fault) return shown(refused(400, fault))
  const generation = readRequest(wanted, content)
  if (!generationForm.Check(generation) || !isKnownSize(generation.resolution, generation.aspect_ratio))
    return shown(invalid('Nothing that can be rendered here.'))
  const { model, safety_identifier: safetyIdentifier } = wanted as { model: string; safety_identifier?: string }
  const face: Face = { name: 'ark', model, origin: originOf(deps, request), ...(safetyIdentifier && { safetyIdentifier }) }
  const answer = await submit({ ...deps, newId: newTaskId }, generation, face)
  if (answer.answered === 'dropped') return cutConnection()
  if (answer.answered === 'bad_json') return new Response('{"id":', { headers: { 'content-type': 'application/json' } })
  if (!('generation' in answer)) return shown(broken)
  return shown(acceptedAnswer(answer.generation, answer.toldId))
}

const isFault = (content: Content | ArkFault): content is ArkFault => 'code' in content

/** `cgt-20250629201507-n6k56`; more letters than Ark’s, so that no two are the same. */
const newTaskId = (): string => {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  return `cgt-${time}-${randomInt(2 ** 47)
    .toString(36)
    .padStart(10, '0')}`
}

const pageMax = 500
const queries = ['page_num', 'page_size', 'filter.status', 'filter.task_ids', 'filter.model', 'filter.service_tier']

/** A page of tasks, newest first, which is not documented; with ids only those, and unknown ones are left out. */
function list(deps: ArkDeps, request: Request): Answer {
  const query = new URL(request.url).searchParams
  const odd = [...query.keys()].find(name => !queries.includes(name))
  if (odd) return invalid(`The parameter \`${odd}\` is unknown.`, odd)
  const [number, size] = ['page_num', 'page_size'].map(name => Number(query.get(name) ?? (name === 'page_num' ? 1 : 10)))
  const isPage = [number, size].every(one => Number.isSafeInteger(one) && Number(one) >= 1 && Number(one) <= pageMax)
  if (!isPage || number === undefined || size === undefined) return invalid('page_num and page_size are from 1 to 500.', 'page_size')
  const ids = query.getAll('filter.task_ids')
  const [status, model] = [query.get('filter.status'), query.get('filter.model')]
  const fitting = (ids.length > 0 ? ids.flatMap(id => find(deps, id) ?? []) : deps.store.ofFace('ark')).filter(
    one => (status ?? one.status) === one.status && (model ?? one.face?.model) === one.face?.model,
  )
  const page = fitting.slice((number - 1) * size, number * size)
  const readDeps = { ...deps, origin: originOf(deps, request) }
  const items = page.flatMap(one => viewsOf(readDeps, one, ids.length > 0).map(view => taskOf(view, one)))
  // What is not shown is not counted.
  return { status: 200, body: { total: fitting.length - (page.length - items.length), items } }
}

/** What a list shows of one: with its id as a poll does, without as a look-up. */
function viewsOf(deps: ReadDeps, { id, clientTaskId }: Generation, isNamed: boolean) {
  return isNamed || clientTaskId === null ? readMany(deps, [id]) : lookUp(deps, clientTaskId)
}
