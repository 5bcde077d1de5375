import { createHash, timingSafeEqual } from 'node:crypto'
import { Elysia } from 'elysia'
import { type Face, generationForm } from '../generation/generation'
import type { GenerationStore } from '../generation/generation-store'
import { type ReadDeps, read } from '../generation/read'
import { cutConnection } from '../generation/routes'
import { type SubmitDeps, submit } from '../generation/submit'
import {
  type Answer,
  acceptedAnswer,
  badKey,
  broken,
  faultAnswer,
  keyAnswer,
  noKey,
  notFound,
  refusalAnswer,
  resultAnswer,
} from './answers'
import { readBody } from './forms'
import { readRequest } from './read-request'

export type XaiDeps = SubmitDeps & Omit<ReadDeps, 'origin'> & { store: GenerationStore; key: string; publicUrl: string | undefined }

/** The simulator in xAI's format, under /xai/v1 in the place of https://api.x.ai/v1: the same generations, and the same lies. */
export const xaiFace = (deps: XaiDeps) =>
  new Elysia({ name: 'xai', prefix: '/xai/v1', normalize: false })
    .post(
      '/videos/generations',
      async function postXaiVideo({ request, server }) {
        // An answer may be later than the server keeps an idle connection.
        server?.timeout(request, 0)
        return admitted(deps, request, () => take(deps, request))
      },
      { parse: 'none' },
    )
    .get('/videos/:id', function getXaiVideo({ params, request }) {
      return admitted(deps, request, async () => shown(tell(deps, params.id, request)))
    })
    .get('/api-key', function getXaiKey({ request }) {
      return admitted(deps, request, async () => shown(keyAnswer))
    })

const shown = ({ status, body }: Answer): Response =>
  body === null ? new Response(null, { status }) : Response.json(body, { status, headers: { 'x-request-id': crypto.randomUUID() } })

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** `Authorization: Bearer …` and nothing else; what the engine refuses is told in xAI's words. */
async function admitted({ key }: XaiDeps, { headers }: Request, answer: () => Promise<Response>): Promise<Response> {
  const given = headers.get('authorization')?.match(/^Bearer (\S+)$/)?.[1]
  if (given === undefined) return shown(noKey)
  if (!timingSafeEqual(digest(given), digest(key))) return shown(badKey)
  try {
    return await answer()
  } catch (error) {
    const refusal = refusalAnswer(error)
    if (!refusal) throw error
    return shown(refusal)
  }
}

async function take(deps: XaiDeps, request: Request): Promise<Response> {
  const given = readBody(await request.json().catch(() => undefined))
  if ('fault' in given) return shown(faultAnswer(given.fault))
  const wanted = readRequest(given.body)
  if (!generationForm.Check(wanted)) return shown(faultAnswer({ status: 400, message: 'Nothing that can be rendered here.' }))
  const face: Face = { name: 'xai', model: wanted.model, origin: originOf(deps, request) }
  const answer = await submit({ ...deps, newId: () => crypto.randomUUID() }, wanted, face)
  if (answer.answered === 'dropped') return cutConnection()
  if (answer.answered === 'bad_json') return new Response('{"request_id":', { headers: { 'content-type': 'application/json' } })
  return shown('generation' in answer ? acceptedAnswer(answer.toldId) : broken)
}

/** By the id that was told, and no other: xAI knows none of the caller's. */
function tell(deps: XaiDeps, id: string, request: Request): Answer {
  const generation = deps.store.find(id)
  if (generation?.face?.name !== 'xai') return notFound
  return resultAnswer(read({ ...deps, origin: originOf(deps, request) }, id), generation)
}

const originOf = ({ publicUrl }: XaiDeps, request: Request): string => publicUrl ?? new URL(request.url).origin
