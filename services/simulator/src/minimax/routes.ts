import { createHash, timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import { isKnownSize } from '../generation/frame-size'
import { type Face, type GenerationRequest, generationForm } from '../generation/generation'
import type { GenerationStore } from '../generation/generation-store'
import { type ReadDeps, read, view as viewOf } from '../generation/read'
import { cutConnection } from '../generation/routes'
import { type SubmitDeps, submit } from '../generation/submit'
import { type Answer, accepted, broken, faulty, fileOf, noTask, refusal, statusOf, taskOf, taskOfFile, unauthorized } from './answers'
import { h3Fault, isH3, readH3 } from './h3-form'
import { hailuoFault, readHailuo } from './hailuo-form'
import type { Body } from './request'

export type MiniMaxDeps = SubmitDeps & Omit<ReadDeps, 'origin'> & { store: GenerationStore; key: string; publicUrl: string | undefined }

type Asked = { deps: MiniMaxDeps; request: Request; ofH3: boolean }

/** The simulator in MiniMax's format, under /minimax in the place of https://api.minimax.io: the same generations, and the same lies. */
export const minimaxFace = (deps: MiniMaxDeps) =>
  new Elysia({ name: 'minimax', prefix: '/minimax', normalize: false })
    .post(
      '/:version/video_generation',
      function postMiniMaxVideo({ params, request, server }) {
        // An answer may be later than the server keeps an idle connection.
        server?.timeout(request, 0)
        return answering(deps, request, params.version, take)
      },
      { parse: 'none' },
    )
    .get('/v2/query/video_generation', function getMiniMaxTasks({ query, request }) {
      return answering(deps, request, 'v2', asked => list(asked, query))
    })
    .get('/v2/query/video_generation/:id', function getMiniMaxTask({ params, request }) {
      return answering(deps, request, 'v2', asked => task(asked, params.id))
    })
    .get('/v1/query/video_generation', function getMiniMaxStatus({ query, request }) {
      return answering(deps, request, 'v1', asked => status(asked, query))
    })
    .get('/v1/files/retrieve', function getMiniMaxFile({ query, request }) {
      return answering(deps, request, 'v1', asked => file(asked, query))
    })

const shown = ({ status: code, body }: Answer): Response => Response.json(body, { status: code })
const told = (body: object): Response => shown({ status: 200, body })

async function answering(
  deps: MiniMaxDeps,
  request: Request,
  version: string,
  answer: (asked: Asked) => Promise<Response> | Response,
): Promise<Response> {
  const ofH3 = version === 'v2'
  if (!ofH3 && version !== 'v1') return new Response('404 page not found', { status: 404 })
  const given = request.headers.get('authorization')?.match(/^Bearer (\S+)$/)?.[1] ?? ''
  if (!timingSafeEqual(digest(given), digest(deps.key))) return shown(unauthorized(ofH3))
  try {
    return await answer({ deps, request, ofH3 })
  } catch (error) {
    return shown(refusal(error, ofH3))
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const originOf = ({ deps, request }: Asked): string => deps.publicUrl ?? new URL(request.url).origin

/** Ids are digits; with one more of them they are still a number that JSON holds. */
const newId = (): string => String(100_000_000_000_000 + Math.floor(Math.random() * 700_000_000_000_000))

async function take(asked: Asked): Promise<Response> {
  const { deps, request, ofH3 } = asked
  const body: unknown = await request.json().catch(() => undefined)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return shown(faulty('the body is no object', ofH3))
  const fault = (ofH3 ? h3Fault : hailuoFault)(body as Body)
  if (fault) return shown(faulty(fault, ofH3))
  const wanted: GenerationRequest = (ofH3 ? readH3 : readHailuo)(body as Body, { client_task_id: `minimax_${crypto.randomUUID()}` })
  if (!generationForm.Check(wanted) || !isKnownSize(wanted.resolution, wanted.aspect_ratio))
    return shown(faulty('nothing that can be rendered here', ofH3))
  const face: Face = { name: 'minimax', model: wanted.model, origin: originOf(asked) }
  const answer = await submit({ ...deps, newId }, wanted, face)
  if (answer.answered === 'dropped') return cutConnection()
  if (answer.answered === 'bad_json') return new Response('{"task_id":', { headers: { 'content-type': 'application/json' } })
  return shown('generation' in answer ? accepted(face.model, answer.toldId) : broken(ofH3))
}

/** A generation that was submitted in this form. */
function find({ deps, ofH3 }: Asked, id: string) {
  const generation = deps.store.find(id)
  return generation?.face?.name === 'minimax' && isH3(generation.face.model) === ofH3 ? generation : undefined
}

const readOf = (asked: Asked, id: string) => read({ ...asked.deps, origin: originOf(asked) }, id)

function task(asked: Asked, id: string): Response {
  const generation = find(asked, id)
  return generation ? told({ task: taskOf(readOf(asked, id), generation) }) : shown(noTask(true))
}

type Query = Record<string, string>
const only = (query: Query, name: string): string | undefined => (Object.keys(query).join() === name ? query[name] : undefined)

function status(asked: Asked, query: Query): Response {
  const id = only(query, 'task_id')
  if (id === undefined) return shown(faulty('task_id alone is to be given', false))
  return find(asked, id) ? told(statusOf(readOf(asked, id))) : shown(noTask(false))
}

function file(asked: Asked, query: Query): Response {
  const id = taskOfFile(only(query, 'file_id') ?? '')
  const view = find(asked, id) && readOf(asked, id)
  return view?.output_url ? told(fileOf(view)) : shown(faulty('file not found', false))
}

const listQueries = ['page_num', 'page_size', 'filter.status', 'filter.task_ids', 'filter.model', 'filter.task_type']

/** H3's tasks, newest first. Of the filters it knows the names alone. */
function list(asked: Asked, query: Query): Response {
  const odd = Object.keys(query).find(name => !listQueries.includes(name))
  if (odd) return shown(faulty(`${odd} is unknown`, true))
  const { store, view } = asked.deps
  const all = store.ofFace('minimax').filter(({ id, acceptedAt }) => find(asked, id) && view.shows(acceptedAt))
  const [page, size] = [Number(query.page_num ?? 1), Number(query.page_size ?? 20)]
  const items = all.slice((page - 1) * size, page * size).map(one => taskOf(viewOf(one, originOf(asked)), one))
  return told({ items, total: all.length })
}
