import { createHash, timingSafeEqual } from 'node:crypto'
import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import type { Reason } from '../errors'
import { cancel } from '../generation/cancel'
import { isKnownSize } from '../generation/frame-size'
import { type Fake, type GenerationRequest, generationForm } from '../generation/generation'
import { read } from '../generation/read'
import { cutConnection } from '../generation/routes'
import { submit } from '../generation/submit'
import { isFields } from './fields'
import type { Answer, Call, Handler, OwnGeneration, Provider, ProviderDeps, SubmitOptions } from './provider'

type Context = { params?: Record<string, string>; query: Record<string, string>; request: Request; server: Server | null }
type Server = { timeout(request: Request, seconds: number): void }

/** The simulator in a provider's format: the same generations, and the same faults. */
export function serve(provider: Provider, deps: ProviderDeps) {
  const app = new Elysia({ name: provider.prefix, prefix: provider.prefix, normalize: false })
  const add = (routes: Record<string, Handler>, isPublic: boolean) => {
    for (const [route, handler] of Object.entries(routes)) {
      const [method = '', path = ''] = route.split(' ')
      // Spans take the handler's name.
      const { [`${provider.name} ${route}`]: named } = {
        [`${provider.name} ${route}`]: (context: Context) => answer(provider, deps, context, handler, isPublic),
      }
      if (named) app.route(method, path, named as never, { parse: 'none' } as never)
    }
  }
  add(provider.publicRoutes ?? {}, true)
  add(provider.routes, false)
  return app
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
export const isKeyOf = ({ key }: Pick<ProviderDeps, 'key'>, given: string): boolean => timingSafeEqual(digest(given), digest(key))

async function answer(provider: Provider, deps: ProviderDeps, context: Context, handler: Handler, isPublic: boolean): Promise<Response> {
  const { request, server } = context
  const respond = (given: Answer | Response) => (given instanceof Response ? given : respondWith(given, provider.headers?.()))
  const refused = isPublic ? undefined : provider.keyFault(request.headers, given => isKeyOf(deps, given))
  if (refused) return respond(refused)
  // An answer may be later than the server keeps an idle connection.
  server?.timeout(request, 0)
  const call = callOf(provider, deps, context)
  try {
    return respond(await handler(call))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return respond(provider.refusal(error.reason as Reason, call))
  }
}

function respondWith({ status, body, headers }: Answer, common?: Record<string, string>): Response {
  if (body === null) return new Response(null, { status })
  return Response.json(body, { status, headers: { ...common, ...headers } })
}

function callOf(provider: Provider, deps: ProviderDeps, { params = {}, query, request }: Context): Call {
  const origin = deps.publicUrl ?? new URL(request.url).origin
  const call: Call = {
    ...{ request, params, query, origin, deps: { ...deps, origin } },
    async json() {
      const body: unknown = await request.json().catch(() => undefined)
      return isFields(body) ? body : undefined
    },
    find(id) {
      const generation = deps.store.find(id)
      return generation?.fake?.name === provider.name ? (generation as OwnGeneration) : undefined
    },
    read: generation => read(call.deps, generation.id),
    cancel(generation, states) {
      const answer = cancel(deps.store, generation, { in: states })
      return answer === 'dropped' ? cutConnection() : answer
    },
    submit: (wanted, options) => submitTo(provider, deps, call, wanted, options),
  }
  return call
}

async function submitTo(
  { name, refusal, cutJson }: Provider,
  deps: ProviderDeps,
  call: Call,
  wanted: GenerationRequest,
  { fake: more, newId, accepted, sentBefore, unfit }: SubmitOptions,
): Promise<Answer | Response> {
  if (!generationForm.Check(wanted) || !isKnownSize(wanted.resolution, wanted.aspect_ratio)) return unfit()
  const fake: Fake = { name, model: wanted.model, origin: call.origin, ...more }
  const outcome = await submit({ ...deps, newId }, wanted, fake).catch((error: unknown) => {
    const before = deps.store.findByClientTaskId(wanted.client_task_id)
    if (!(error instanceof Failure && error.reason === 'client_task_id_reused' && before)) throw error
    return { answered: 'replayed', toldId: before.id, generation: before } as const
  })
  if (outcome.answered === 'dropped') return cutConnection()
  if (outcome.answered === 'bad_json') return new Response(cutJson, { headers: { 'content-type': 'application/json' } })
  if (!('generation' in outcome)) return refusal('internal_error', call)
  if (outcome.answered === 'replayed' && sentBefore) return sentBefore()
  return accepted({ ...outcome.generation, fake: outcome.generation.fake ?? fake }, outcome.toldId)
}
