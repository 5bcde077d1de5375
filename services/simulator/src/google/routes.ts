import { createHash, timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import type { FalStorage } from '../fal/storage'
import { isKnownSize } from '../generation/frame-size'
import { type Face, type Generation, type GenerationRequest, generationForm } from '../generation/generation'
import type { GenerationStore } from '../generation/generation-store'
import { type ReadDeps, read } from '../generation/read'
import { cutConnection } from '../generation/routes'
import { type SubmitDeps, submit } from '../generation/submit'
import { type OutputDeps, outputAnswer } from '../output/routes'
import {
  type Answer,
  badKey,
  fault,
  fileAnswer,
  interactionAccepted,
  interactionAnswer,
  interactionPrefix,
  invalid,
  noKey,
  notFound,
  operationAccepted,
  operationAnswer,
  refusalAnswer,
  wrongScheme,
} from './answers'
import { interactionForm, omniModels, operationForm, veoModels } from './forms'
import { keepInline } from './keep-inline'
import { type Read, readInteraction, readOperation } from './read-request'

export type GoogleDeps = SubmitDeps &
  Omit<ReadDeps, 'origin'> &
  OutputDeps & { store: GenerationStore; storage: FalStorage; key: string; publicUrl: string | undefined }

/** The simulator in Google's formats, under /google/v1beta in the place of https://generativelanguage.googleapis.com/v1beta: the same generations and lies. */
export const googleFace = (deps: GoogleDeps) =>
  new Elysia({ name: 'google', prefix: '/google/v1beta', normalize: false })
    .post(
      '/*',
      async function postGoogle({ params, request, server }) {
        // An answer may be later than the server keeps an idle connection.
        server?.timeout(request, 0)
        return answered(deps, request, () => take(deps, params['*'], request))
      },
      { parse: 'none' },
    )
    .get('/*', async function getGoogle({ params, query, request }) {
      return answered(deps, request, () => tell(deps, params['*'], query, request))
    })

const shown = ({ status, body }: Answer): Response => Response.json(body, { status })

async function answered(deps: GoogleDeps, request: Request, answer: () => Promise<Response>): Promise<Response> {
  const stopped = keyFault(deps, request)
  if (stopped) return shown(stopped)
  try {
    return await answer()
  } catch (error) {
    const refusal = refusalAnswer(error)
    if (!refusal) throw error
    return shown(refusal)
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** `x-goog-api-key` and nothing else. */
function keyFault({ key }: GoogleDeps, { headers }: Request): Answer | undefined {
  if (headers.has('authorization')) return wrongScheme
  const given = headers.get('x-goog-api-key')
  if (given === null) return noKey
  return timingSafeEqual(digest(given), digest(key)) ? undefined : badKey
}

const originOf = ({ publicUrl }: GoogleDeps, request: Request): string => publicUrl ?? new URL(request.url).origin
const newId = () => crypto.randomUUID().replaceAll('-', '')

const clientTaskId = () => `google_${crypto.randomUUID()}`

async function take(deps: GoogleDeps, path: string, request: Request): Promise<Response> {
  const body: unknown = await request.json().catch(() => undefined)
  const [, model = ''] = /^models\/([^/]+):predictLongRunning$/.exec(path) ?? []
  if (veoModels.includes(model)) {
    if (!operationForm.Check(body)) return shown(misread(operationForm.Errors(body)))
    return accept(deps, request, readOperation(body, { model, clientTaskId: clientTaskId() }), { model, isOperation: true })
  }
  if (path !== 'interactions') return shown(notFound)
  if (!interactionForm.Check(body)) return shown(misread(interactionForm.Errors(body)))
  if (!omniModels.includes(body.model)) return shown(fault(404, 'NOT_FOUND', `Model ${body.model} was not found.`))
  const given = readInteraction(body, { clientTaskId: clientTaskId() })
  return accept(deps, request, given, { model: body.model, labels: body.labels, isOperation: false })
}

function misread(errors: Iterable<{ path: string; message: string }>): Answer {
  const [first] = errors
  return invalid(`${first?.path}: ${first?.message}`)
}

type Kind = { model: string; labels?: Record<string, string> | undefined; isOperation: boolean }

async function accept(deps: GoogleDeps, request: Request, given: Read, { model, labels, isOperation }: Kind): Promise<Response> {
  if ('fault' in given) return shown(invalid(given.fault))
  const origin = originOf(deps, request)
  const generation = await withAddresses(deps, origin, given)
  if (!generation || !generationForm.Check(generation) || !isKnownSize(generation.resolution, generation.aspect_ratio))
    return shown(invalid('Unable to process input image.'))
  const face: Face = { name: 'google', model, origin, ...(labels && { labels }) }
  const id = isOperation ? newId : () => `${interactionPrefix}${newId()}`
  const answer = await submit({ ...deps, newId: id }, generation, face)
  if (answer.answered === 'dropped') return cutConnection()
  if (answer.answered === 'bad_json') return new Response('{"name":', { headers: { 'content-type': 'application/json' } })
  if (!('generation' in answer)) return shown(fault(500, 'INTERNAL', 'An internal error has occurred.'))
  return shown(isOperation ? operationAccepted(face, answer.toldId) : interactionAccepted(answer.generation, answer.toldId))
}

/** The request with its pictures where the renderer fetches them; undefined where one is no picture. */
async function withAddresses(
  { storage }: GoogleDeps,
  origin: string,
  { request, first, last, references }: Exclude<Read, { fault: string }>,
): Promise<GenerationRequest | undefined> {
  const addresses = await Promise.all([first, last, ...references].map(one => (one ? keepInline(storage, origin, one) : null)))
  if (addresses.includes(undefined)) return undefined
  const [firstUrl, lastUrl, ...others] = addresses
  return {
    ...request,
    ...(firstUrl && { first_frame_url: firstUrl }),
    ...(lastUrl && { last_frame_url: lastUrl }),
    ...(others.length > 0 && { reference_images: others.filter(one => typeof one === 'string') }),
  }
}

/** A generation that was submitted in one of these formats. */
function find({ store }: GoogleDeps, id: string): (Generation & { face: Face }) | undefined {
  const generation = store.find(id)
  return generation?.face?.name === 'google' ? { ...generation, face: generation.face } : undefined
}

async function tell(deps: GoogleDeps, path: string, query: Record<string, string>, request: Request): Promise<Response> {
  const origin = originOf(deps, request)
  if (path === 'models') return Response.json({ models: [...veoModels, ...omniModels].map(name => ({ name: `models/${name}` })) })
  const [, fileId, download] = /^files\/([a-z0-9]+)(:download)?$/.exec(path) ?? []
  if (fileId) return tellFile(deps, origin, fileId, download !== undefined && query.alt === 'media')
  const [, model, operation, interaction = ''] =
    /^(?:models\/([^/]+)\/operations\/([a-z0-9]+)|interactions\/(v1_[a-z0-9]+))$/.exec(path) ?? []
  const generation = find(deps, operation ?? interaction)
  if (!generation || (operation !== undefined && generation.face.model !== model)) return shown(notFound)
  const view = read({ ...deps, origin }, generation.id)
  return shown(operation === undefined ? interactionAnswer(view, generation) : operationAnswer(view, generation.face))
}

/** A file of an interaction is still worked on when it is asked about first. */
async function tellFile(deps: GoogleDeps, origin: string, fileId: string, isDownload: boolean): Promise<Response> {
  const generation = deps.store.find(fileId) ?? deps.store.find(`${interactionPrefix}${fileId}`)
  if (generation?.face?.name !== 'google' || generation.status !== 'succeeded') return shown(notFound)
  if (isDownload) return outputAnswer(deps, generation)
  return shown(fileAnswer(origin, generation.id, deps.reads.next(generation, 'look-up') === 1 ? 'PROCESSING' : 'ACTIVE'))
}
