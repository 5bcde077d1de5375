import { createHash, timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import { isKnownSize } from '../generation/frame-size'
import { type Face, generationForm } from '../generation/generation'
import type { GenerationStore } from '../generation/generation-store'
import { type ReadDeps, read } from '../generation/read'
import { cutConnection } from '../generation/routes'
import { type SubmitDeps, submit } from '../generation/submit'
import {
  type Answer,
  badKey,
  brokenAnswer,
  createdAnswer,
  creditsAnswer,
  faultAnswer,
  noSuchPath,
  noSuchTask,
  notCancelled,
  refusalAnswer,
  taskAnswer,
} from './answers'
import { faultOf, formOf, type Input } from './forms'
import { listTasks } from './list-tasks'
import { readTask } from './read-task'

export type ViduDeps = SubmitDeps & Omit<ReadDeps, 'origin'> & { store: GenerationStore; key: string; publicUrl: string | undefined }

/** The simulator in Vidu's format, under /vidu in the place of https://api.vidu.com: the same generations, and the same lies. */
export const viduFace = (deps: ViduDeps) =>
  new Elysia({ name: 'vidu', prefix: '/vidu/ent/v2', normalize: false })
    .post(
      '/:task',
      async function postViduTask({ params, request, server }) {
        // An answer may be later than the server keeps an idle connection.
        server?.timeout(request, 0)
        return asVidu(deps, request, () => take(deps, params.task, request))
      },
      { parse: 'none' },
    )
    .get('/credits', function getViduCredits({ request }) {
      return asVidu(deps, request, async () => shown(creditsAnswer))
    })
    .get('/tasks', function getViduTasks({ request }) {
      return asVidu(deps, request, async () => shown(listTasks(deps, new URL(request.url).searchParams)))
    })
    .get('/tasks/:id/creations', function getViduTask({ params, request }) {
      return asVidu(deps, request, async () => shown(tell(deps, params.id, request)))
    })
    .post(
      '/tasks/:id/cancel',
      function postViduCancel({ params, request }) {
        return asVidu(deps, request, async () => {
          const generation = find(deps, params.id)
          return shown(generation ? notCancelled(generation) : noSuchTask)
        })
      },
      { parse: 'none' },
    )

const shown = ({ status, body }: Answer): Response => Response.json(body, { status })

async function asVidu(deps: ViduDeps, request: Request, answer: () => Promise<Response>): Promise<Response> {
  if (!mayAsk(deps, request)) return shown(badKey)
  try {
    return await answer()
  } catch (error) {
    const refusal = refusalAnswer(error)
    if (!refusal) throw error
    return shown(refusal)
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** `Authorization: Token …` and nothing else. */
const mayAsk = ({ key }: ViduDeps, { headers }: Request): boolean =>
  timingSafeEqual(digest(headers.get('authorization')?.match(/^Token (\S+)$/)?.[1] ?? ''), digest(key))

const originOf = ({ publicUrl }: ViduDeps, request: Request): string => publicUrl ?? new URL(request.url).origin

async function take(deps: ViduDeps, path: string, request: Request): Promise<Response> {
  const form = formOf(path)
  if (!form) return shown(noSuchPath)
  const given: unknown = await request.json().catch(() => undefined)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return shown(faultAnswer({ reason: 'FieldInvalid', field: 'body' }))
  const input = given as Input
  const fault = faultOf(form, input)
  if (fault) return shown(faultAnswer(fault))
  const body = readTask(form, input, `vidu_${crypto.randomUUID()}`)
  if (!generationForm.Check(body) || !isKnownSize(body.resolution, body.aspect_ratio))
    return shown(faultAnswer({ reason: 'FieldInvalid', field: 'nothing that can be rendered here' }))
  const payload = typeof input.payload === 'string' ? input.payload : ''
  const face: Face = { name: 'vidu', model: body.model, origin: originOf(deps, request), payload }
  const answer = await submit({ ...deps, newId: newTaskId }, body, face)
  if (answer.answered === 'dropped') return cutConnection()
  if (answer.answered === 'bad_json') return new Response('{"task_id":', { headers: { 'content-type': 'application/json' } })
  if (!('generation' in answer)) return shown(brokenAnswer)
  return shown(createdAnswer(input, answer.generation, answer.toldId))
}

/** Digits, as Vidu's: more than a number of JSON holds. */
const newTaskId = (): string => String(900_000_000_000_000_000n + (crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n) / 256n)

/** A generation that was submitted in this format. */
function find({ store }: ViduDeps, id: string) {
  const generation = store.find(id)
  return generation?.face?.name === 'vidu' ? generation : undefined
}

function tell(deps: ViduDeps, id: string, request: Request): Answer {
  const generation = find(deps, id)
  if (!generation) return noSuchTask
  return taskAnswer(read({ ...deps, origin: originOf(deps, request) }, id), generation)
}
