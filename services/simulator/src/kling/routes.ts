import { createHash, timingSafeEqual } from 'node:crypto'
import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { isKnownSize } from '../generation/frame-size'
import { type Generation, generationForm } from '../generation/generation'
import type { GenerationStore } from '../generation/generation-store'
import { lookUp, type ReadDeps, readMany } from '../generation/read'
import { cutConnection } from '../generation/routes'
import { type SubmitDeps, submit } from '../generation/submit'
import { type Answer, accepted, badKey, fault, noAuthorization, noPairs, refusal, sentBefore, taskOf, tasks, unknownModel } from './answers'
import { BodyFault, formOf, readBody } from './forms'
import { readRequest } from './read-request'

export type KlingDeps = SubmitDeps & Omit<ReadDeps, 'origin'> & { store: GenerationStore; key: string; publicUrl: string | undefined }

/**
 * The simulator in the format of Kling's API 2.0, under /kling in the place of https://api-singapore.klingai.com: the same generations, and the
 * same lies.
 */
export const klingFace = (deps: KlingDeps) =>
  new Elysia({ name: 'kling', prefix: '/kling', normalize: false })
    .post(
      '/:what/:model',
      async function postKling({ params, request, server }) {
        const refused = whoAsks(deps, request)
        if (refused) return shown(refused)
        // An answer may be later than the server keeps an idle connection.
        server?.timeout(request, 0)
        return take(deps, `${params.what}/${params.model}`, request)
      },
      { parse: 'none' },
    )
    .get('/tasks', function getKlingTasks({ query, request }) {
      return shown(whoAsks(deps, request) ?? tell(deps, query, request))
    })

const shown = ({ status, body }: Answer): Response => Response.json(body, { status })
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** A token that a pair of keys signed is another kind of key, which this generation of the API doesn't take. */
function whoAsks({ key }: KlingDeps, { headers }: Request): Answer | undefined {
  const header = headers.get('authorization')
  if (!header) return noAuthorization
  const given = /^Bearer (\S+)$/.exec(header)?.[1] ?? ''
  if (timingSafeEqual(digest(given), digest(key))) return undefined
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(given) ? noPairs : badKey
}

const originOf = ({ publicUrl }: KlingDeps, request: Request): string => publicUrl ?? new URL(request.url).origin

/** Kling's ids are of 18 digits. */
const newTaskId = (): string => `9${Array.from(crypto.getRandomValues(new Uint8Array(17)), byte => byte % 10).join('')}`

async function take(deps: KlingDeps, path: string, request: Request): Promise<Response> {
  const form = formOf(path)
  if (!form) return shown(unknownModel)
  let id = ''
  try {
    const wanted = readRequest(form, readBody(form, await request.json().catch(() => undefined)))
    id = wanted.client_task_id
    if (!generationForm.Check(wanted) || !isKnownSize(wanted.resolution, wanted.aspect_ratio))
      return shown(fault('nothing that can be rendered here'))
    const face = { name: 'kling' as const, model: path, origin: originOf(deps, request) }
    const answer = await submit({ ...deps, newId: newTaskId }, wanted, face)
    if (answer.answered === 'dropped') return cutConnection()
    if (answer.answered === 'bad_json') return new Response('{"code":0,"data":{', { headers: { 'content-type': 'application/json' } })
    if (answer.answered === 'replayed') return shown(sentBefore(id))
    return shown('generation' in answer ? accepted(answer.generation, answer.toldId) : refusal(new Failure('internal_error'), id))
  } catch (error) {
    return shown(error instanceof BodyFault ? fault(error.message) : refusal(error, id))
  }
}

/** In one call, and so many are refused (seen live). */
const idsMax = 20

/** By Kling's ids or by the callers', and not by both; what isn't known is left out. */
function tell(deps: KlingDeps, query: Record<string, string>, request: Request): Answer {
  const { task_ids: own = '', external_task_ids: external = '', ...more } = query
  if (Object.keys(more).length > 0) return fault(`${Object.keys(more)[0]} is not a field`)
  const ids = (own || external).split(',').filter(Boolean)
  if (ids.length === 0) return fault('task_ids or external_task_ids is required')
  if (own && external) return fault('task_ids and external_task_ids cannot be used simultaneously')
  if (ids.length > idsMax) return fault(`${own ? 'task_ids' : 'external_task_ids'} cannot exceed ${idsMax} in total`)
  const readDeps = { ...deps, origin: originOf(deps, request) }
  const isOurs = (generation: Generation | undefined) => generation?.face?.name === 'kling'
  try {
    const seen = own
      ? readMany(
          readDeps,
          ids.filter(id => isOurs(deps.store.find(id))),
        )
      : ids.filter(id => isOurs(deps.store.findByClientTaskId(id))).flatMap(id => lookUp(readDeps, id))
    return tasks(
      seen.flatMap(view => {
        const generation = deps.store.find(view.id)
        return generation ? [taskOf(view, generation)] : []
      }),
    )
  } catch (error) {
    return refusal(error, '')
  }
}
