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
  acceptedAnswer,
  appOf,
  badKey,
  inputAnswer,
  notFound,
  refusalAnswer,
  resultAnswer,
  statusAnswer,
  unknownModel,
} from './answers'
import { faultsOf, formOf } from './forms'
import { readInput } from './read-input'
import type { CallbackKey } from './sign-callback'

export type FalDeps = SubmitDeps &
  Omit<ReadDeps, 'origin'> &
  Pick<CallbackKey, 'keySet'> & { store: GenerationStore; key: string; publicUrl: string | undefined }

/** What fal takes beside the body: fal.ai/docs/documentation/model-apis/inference/queue. */
const queries = ['fal_webhook', 'fal_max_queue_length']

/** The simulator in fal's format, under /fal in the place of https://queue.fal.run: the same generations, and the same lies. */
export const falFace = (deps: FalDeps) =>
  new Elysia({ name: 'fal', prefix: '/fal', normalize: false })
    .post(
      '/*',
      async function postFal({ params, query, request, server }) {
        if (!mayAsk(deps, request)) return shown(badKey)
        // An answer may be later than the server keeps an idle connection.
        server?.timeout(request, 0)
        return refusedAsFal(() => take(deps, params['*'], query, request))
      },
      { parse: 'none' },
    )
    // At fal under https://rest.fal.ai, for everybody.
    .get('/.well-known/jwks.json', function getFalKeys() {
      return deps.keySet()
    })
    .get('/*', async function getFal({ params, request }) {
      if (!mayAsk(deps, request)) return shown(badKey)
      return refusedAsFal(async () => shown(tell(deps, params['*'], request), askForm.exec(params['*'])?.[2]))
    })
    .put(
      '/*',
      async function putFal({ params, request }) {
        if (!mayAsk(deps, request)) return shown(badKey)
        return refusedAsFal(async () => shown(cancel(deps, params['*'])))
      },
      { parse: 'none' },
    )

/** The client reads a result's id from this header, and nowhere else. */
const shown = ({ status, body, headers }: Answer, id?: string): Response =>
  Response.json(body, { status, headers: { ...headers, ...(id !== undefined && { 'x-fal-request-id': id }) } })

async function refusedAsFal(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer()
  } catch (error) {
    const refusal = refusalAnswer(error)
    if (!refusal) throw error
    return shown(refusal)
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** `Authorization: Key …` and nothing else. */
export const mayAsk = ({ key }: Pick<FalDeps, 'key'>, { headers }: Request): boolean =>
  timingSafeEqual(digest(headers.get('authorization')?.match(/^Key (\S+)$/)?.[1] ?? ''), digest(key))

const originOf = ({ publicUrl }: FalDeps, request: Request): string => publicUrl ?? new URL(request.url).origin

async function take(deps: FalDeps, model: string, query: Record<string, string>, request: Request): Promise<Response> {
  const form = formOf(model)
  if (!form) return shown(unknownModel(model))
  const odd = Object.keys(query).filter(name => !queries.includes(name))
  if (odd.length > 0) return shown(inputAnswer(odd.map(name => ({ loc: ['query', name], msg: 'Unknown query', type: 'extra_forbidden' }))))
  const input: unknown = await request.json().catch(() => undefined)
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return shown(inputAnswer([{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }]))
  const faults = faultsOf(form, input as Record<string, unknown>)
  if (faults.length > 0) return shown(inputAnswer(faults))
  const body = readInput(model, form, input as Record<string, unknown>, {
    clientTaskId: `fal_${crypto.randomUUID()}`,
    callbackUrl: query.fal_webhook,
  })
  if (!generationForm.Check(body) || !isKnownSize(body.resolution, body.aspect_ratio))
    return shown(inputAnswer([{ loc: ['body'], msg: 'Nothing that can be rendered here', type: 'value_error' }]))
  const face: Face = { name: 'fal', model, origin: originOf(deps, request) }
  const answer = await submit({ ...deps, newId: () => crypto.randomUUID() }, body, face)
  if (answer.answered === 'dropped') return cutConnection()
  if (answer.answered === 'bad_json') return new Response('{"request_id":', { headers: { 'content-type': 'application/json' } })
  if (!('generation' in answer)) return shown({ status: 500, body: { detail: 'Internal Server Error' } })
  return shown(acceptedAnswer(face, answer.toldId), answer.toldId)
}

/** `owner/app/requests/id`, and what is asked of it. */
const askForm = /^([^/]+\/[^/]+)\/requests\/([A-Za-z0-9-]+)(\/status|\/cancel)?$/

/** A generation that was submitted in this format to that app. */
function find({ store }: FalDeps, path: string) {
  const [, app, id = '', asked = ''] = askForm.exec(path) ?? []
  const generation = store.find(id)
  const { face } = generation ?? {}
  return generation && face?.name === 'fal' && appOf(face.model) === app ? { generation, face, asked } : undefined
}

function tell(deps: FalDeps, path: string, request: Request): Answer {
  const found = find(deps, path)
  if (!found || found.asked === '/cancel') return notFound
  const { generation, face, asked } = found
  const view = read({ ...deps, origin: originOf(deps, request) }, generation.id)
  return asked === '/status' ? statusAnswer(face, view) : resultAnswer(view, generation)
}

/** Nothing that runs is stopped: fal may complete what it was asked to cancel. */
function cancel(deps: FalDeps, path: string): Answer {
  const found = find(deps, path)
  if (found?.asked !== '/cancel') return notFound
  const { status } = found.generation
  if (status === 'succeeded' || status === 'failed') return { status: 400, body: { status: 'ALREADY_COMPLETED' } }
  return { status: 202, body: { status: 'CANCELLATION_REQUESTED' } }
}
