import type { Answer, Call, OwnGeneration, Provider } from '../engine/provider'
import { refusalsOf } from '../engine/provider'
import type { FalStorage } from '../fal/storage'
import type { GenerationRequest } from '../generation/generation'
import { type OutputDeps, outputAnswer } from '../output/routes'
import {
  badKey,
  fault,
  fileAnswer,
  interactionAccepted,
  interactionAnswer,
  interactionPrefix,
  internal,
  invalid,
  noKey,
  notFound,
  operationAccepted,
  operationAnswer,
  refusals,
  wrongScheme,
} from './answers'
import { interactionForm, omniModels, operationForm, veoModels } from './forms'
import { keepInline } from './keep-inline'
import { type Read, readInteraction, readOperation } from './read-request'

export type GoogleDeps = OutputDeps & { storage: FalStorage }

/**
 * Google's two APIs of videos, in the place of https://generativelanguage.googleapis.com/v1beta, or /v1: @google/genai 3.3.0 and google-genai
 * 3.6.1 (November 2026) ask there unless they are told otherwise. Files are at v1beta for both.
 */
export const google = (deps: GoogleDeps, version: 'v1' | 'v1beta'): Provider => ({
  name: 'google',
  prefix: `/google/${version}`,
  // `x-goog-api-key` and nothing else.
  keyFault(headers, isKey) {
    if (headers.has('authorization')) return wrongScheme
    const given = headers.get('x-goog-api-key')
    if (given === null) return noKey
    return isKey(given) ? undefined : badKey
  },
  refusal: refusalsOf(refusals, internal),
  cutJson: '{"name":',
  routes: { 'POST /*': call => take(deps, call), 'GET /*': call => tell(deps, call) },
})

const newId = () => crypto.randomUUID().replaceAll('-', '')
const clientTaskId = () => `google_${crypto.randomUUID()}`

async function take(deps: GoogleDeps, call: Call): Promise<Answer | Response> {
  const path = call.params['*'] ?? ''
  const body = await call.json()
  const [, model = ''] = /^models\/([^/]+):predictLongRunning$/.exec(path) ?? []
  if (veoModels.includes(model)) {
    if (!operationForm.Check(body)) return misread(operationForm.Errors(body))
    return accept(deps, call, readOperation(body, { model, clientTaskId: clientTaskId() }), { isOperation: true })
  }
  if (path !== 'interactions') return notFound
  if (!interactionForm.Check(body)) return misread(interactionForm.Errors(body))
  if (!omniModels.includes(body.model)) return fault(404, 'NOT_FOUND', `Model ${body.model} was not found.`)
  return accept(deps, call, readInteraction(body, { clientTaskId: clientTaskId() }), { labels: body.labels, isOperation: false })
}

function misread(errors: Iterable<{ path: string; message: string }>): Answer {
  const [first] = errors
  return invalid(`${first?.path}: ${first?.message}`)
}

type Kind = { labels?: Record<string, string> | undefined; isOperation: boolean }

async function accept(deps: GoogleDeps, call: Call, given: Read, { labels, isOperation }: Kind): Promise<Answer | Response> {
  if ('fault' in given) return invalid(given.fault)
  const unfit = () => invalid('Unable to process input image.')
  const wanted = await withAddresses(deps, call.origin, given)
  if (!wanted) return unfit()
  return call.submit(wanted, {
    fake: labels ? { labels } : {},
    newId: isOperation ? newId : () => `${interactionPrefix}${newId()}`,
    accepted: (generation, toldId) => (isOperation ? operationAccepted(generation.fake, toldId) : interactionAccepted(generation, toldId)),
    unfit,
  })
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

async function tell(deps: GoogleDeps, call: Call): Promise<Answer | Response> {
  const path = call.params['*'] ?? ''
  if (path === 'models') return { status: 200, body: { models: [...veoModels, ...omniModels].map(name => ({ name: `models/${name}` })) } }
  const [, fileId, download] = /^files\/([a-z0-9]+)(:download)?$/.exec(path) ?? []
  if (fileId) return tellFile(deps, call, fileId, download !== undefined && call.query.alt === 'media')
  const [, model, operation, interaction = ''] =
    /^(?:models\/([^/]+)\/operations\/([a-z0-9]+)|interactions\/(v1_[a-z0-9]+))$/.exec(path) ?? []
  const generation: OwnGeneration | undefined = call.find(operation ?? interaction)
  if (!generation || (operation !== undefined && generation.fake.model !== model)) return notFound
  const seen = call.read(generation)
  return operation === undefined ? interactionAnswer(seen, generation) : operationAnswer(seen, generation.fake)
}

/** A file of an interaction is still worked on when it is asked about first. */
async function tellFile(deps: GoogleDeps, { find, origin }: Call, fileId: string, isDownload: boolean): Promise<Answer | Response> {
  const generation = find(fileId) ?? find(`${interactionPrefix}${fileId}`)
  if (generation?.status !== 'succeeded') return notFound
  if (isDownload) return outputAnswer(deps, generation)
  return fileAnswer(origin, generation.id, deps.reads.next(generation, 'look-up') === 1 ? 'PROCESSING' : 'ACTIVE')
}
