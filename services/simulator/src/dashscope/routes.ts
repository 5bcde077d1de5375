import { createHash, timingSafeEqual } from 'node:crypto'
import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { isKnownSize } from '../generation/frame-size'
import { type Face, generationForm } from '../generation/generation'
import type { GenerationStore } from '../generation/generation-store'
import { type ReadDeps, read } from '../generation/read'
import { cutConnection } from '../generation/routes'
import { type SubmitDeps, submit } from '../generation/submit'
import {
  type Answer,
  acceptedAnswer,
  badKey,
  invalid,
  notAsynchronous,
  notPending,
  ownFault,
  refusalAnswer,
  taskAnswer,
  unknownModel,
  unknownTask,
} from './answers'
import { type Fields, faultOf, formOf } from './forms'
import { readSubmit } from './read-submit'

export type DashScopeDeps = SubmitDeps & Omit<ReadDeps, 'origin'> & { store: GenerationStore; key: string; publicUrl: string | undefined }

/**
 * The simulator in DashScope's format, under /dashscope/api/v1 in the place of https://dashscope.aliyuncs.com/api/v1: the same generations,
 * and the same lies.
 */
export const dashScopeFace = (deps: DashScopeDeps) =>
  new Elysia({ name: 'dashscope', prefix: '/dashscope/api/v1', normalize: false })
    .post(
      '/services/aigc/video-generation/video-synthesis',
      async function postDashScope({ request, server }) {
        if (!mayAsk(deps, request)) return shown(badKey)
        if (request.headers.get('x-dashscope-async') !== 'enable') return shown(notAsynchronous)
        // An answer may be later than the server keeps an idle connection.
        server?.timeout(request, 0)
        return refusedAsDashScope(() => take(deps, request))
      },
      { parse: 'none' },
    )
    .get('/tasks/:id', async function getDashScope({ params, request }) {
      if (!mayAsk(deps, request)) return shown(badKey)
      return refusedAsDashScope(async () => shown(tell(deps, params.id, request)))
    })
    .post(
      '/tasks/:id/cancel',
      function cancelDashScope({ request }) {
        return shown(mayAsk(deps, request) ? notPending : badKey)
      },
      { parse: 'none' },
    )

const shown = ({ status, body }: Answer): Response => Response.json(body, { status })

async function refusedAsDashScope(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    const refusal = refusalAnswer(error)
    if (!refusal) throw error
    return shown(refusal)
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** `Authorization: Bearer …` and nothing else. */
const mayAsk = ({ key }: DashScopeDeps, { headers }: Request): boolean =>
  timingSafeEqual(digest(headers.get('authorization')?.match(/^Bearer (\S+)$/)?.[1] ?? ''), digest(key))

const originOf = ({ publicUrl }: DashScopeDeps, request: Request): string => publicUrl ?? new URL(request.url).origin

async function take(deps: DashScopeDeps, request: Request): Promise<Response> {
  const body: unknown = await request.json().catch(() => undefined)
  if (!isFields(body)) return shown(invalid('Required body invalid, please check the request body format.'))
  const { model, input, parameters = {}, ...rest } = body
  const form = formOf(model)
  if (!form) return shown(unknownModel)
  const [odd] = Object.keys(rest)
  if (odd) return shown(invalid(`${odd} is not taken`))
  if (!isFields(input) || !isFields(parameters)) return shown(invalid('Field required: input'))
  const asked = { model: form.model, input, parameters }
  const fault = faultOf(form, asked)
  if (fault) return shown(invalid(fault))
  const generation = readSubmit(form, asked, `dashscope_${crypto.randomUUID()}`)
  if (!generationForm.Check(generation) || !isKnownSize(generation.resolution, generation.aspect_ratio))
    return shown(invalid('Nothing that can be rendered here'))
  const face: Face = { name: 'dashscope', model: form.model, origin: originOf(deps, request) }
  const answer = await submit({ ...deps, newId: () => crypto.randomUUID() }, generation, face)
  if (answer.answered === 'dropped') return cutConnection()
  if (answer.answered === 'bad_json') return new Response('{"output":{', { headers: { 'content-type': 'application/json' } })
  return shown('generation' in answer ? acceptedAnswer(answer.toldId) : ownFault)
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What was submitted in this format; 200 and UNKNOWN for everything else. */
function tell(deps: DashScopeDeps, id: string, request: Request): Answer {
  const generation = deps.store.find(id)
  if (generation?.face?.name !== 'dashscope') return unknownTask(id)
  try {
    return taskAnswer(read({ ...deps, origin: originOf(deps, request) }, id), generation)
  } catch (error) {
    if (error instanceof Failure && error.reason === 'not_found') return unknownTask(id)
    throw error
  }
}
