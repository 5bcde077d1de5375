import { requireBearer } from '@filmgate/kit/request/require-bearer'
import { Elysia } from 'elysia'
import { refuse, unauthorized } from '../errors'
import { cancel } from './cancel'
import { isKnownSize } from './frame-size'
import { generationForm } from './generation'
import { isVisible, lookUp, type ReadDeps, read, readMany, view } from './read'
import { type SubmitDeps, submit } from './submit'

export type GenerationDeps = SubmitDeps & Omit<ReadDeps, 'origin'> & { key: string; publicUrl: string | undefined }

/** Ids in one batch poll. */
const idsMax = 100

export const generations = (deps: GenerationDeps) =>
  new Elysia({ name: 'generations', prefix: '/v1/generations', normalize: false })
    .use(requireBearer([deps.key], unauthorized))
    .post(
      '/',
      async function postGeneration({ body, request, server, set }) {
        if (!generationForm.Check(body)) throw refuse('invalid_request', { details: { faults: faultsOf(body) } })
        if (!isKnownSize(body.resolution, body.aspect_ratio))
          throw refuse('invalid_request', { message: 'Unknown resolution or aspect_ratio.' })
        // An answer may be later than the server keeps an idle connection.
        server?.timeout(request, 0)
        const answer = await submit(deps, body)
        if (answer.answered === 'dropped') return cutConnection()
        if (answer.answered === 'broken') throw refuse('internal_error')
        if (answer.answered === 'bad_json') return new Response('{"id":', { status: 201, headers: { 'content-type': 'application/json' } })
        if (!('generation' in answer)) throw refuse('internal_error')
        set.status = answer.answered === 'created' ? 201 : 200
        return { ...view(answer.generation, originOf(deps, request)), id: answer.toldId }
      },
      { parse: 'json' },
    )
    .get('/', function getGenerations({ query, request }) {
      const readDeps = { ...deps, origin: originOf(deps, request) }
      if (typeof query.client_task_id === 'string') return { data: lookUp(readDeps, query.client_task_id) }
      const ids = typeof query.ids === 'string' ? query.ids.split(',').filter(Boolean) : []
      if (ids.length === 0 || ids.length > idsMax)
        throw refuse('invalid_request', { message: `Ask by client_task_id or by 1 to ${idsMax} ids.` })
      return { data: readMany(readDeps, ids) }
    })
    .post('/:id/cancel', function postCancel({ params, request, set }) {
      const generation = deps.store.find(params.id)
      if (!generation || !isVisible(deps, generation)) throw refuse('not_found')
      const answer = cancel(deps.store, generation, { in: ['queued', 'running'] })
      if (answer === 'dropped') return cutConnection()
      if (answer === 'refused') throw refuse('not_cancellable')
      set.status = 202
      return view(generation, originOf(deps, request))
    })
    .get('/:id', function getGeneration({ params, request }) {
      return read({ ...deps, origin: originOf(deps, request) }, params.id)
    })

const originOf = ({ publicUrl }: GenerationDeps, request: Request) => publicUrl ?? new URL(request.url).origin

const faultsOf = (body: unknown) => [...generationForm.Errors(body)].slice(0, 20).map(({ path, message }) => ({ path, message }))

/** A body that breaks before its first byte: the runtime closes the connection without an answer. */
export const cutConnection = () =>
  new Response(
    new ReadableStream({
      start: controller => controller.error(),
    }),
  )
