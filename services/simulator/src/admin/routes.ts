import { requireBearer } from '@filmgate/kit/request/require-bearer'
import { Elysia } from 'elysia'
import { ruleForm } from '../behaviour/behaviour'
import { refuse, unauthorized } from '../errors'
import type { GenerationStore } from '../generation/generation-store'
import type { Progress } from '../generation/progress'
import { type View, viewForm } from '../generation/view'

export type AdminDeps = { store: GenerationStore; progress: Progress; view: View; newId: () => string; key: string }

/** What tests and load runs are steered and counted with. */
export const admin = ({ store, progress, view, newId, key }: AdminDeps) =>
  new Elysia({ name: 'admin', prefix: '/admin', normalize: false })
    .use(requireBearer([key], unauthorized))
    .post(
      '/behaviours',
      function postBehaviours({ body, set }) {
        if (!ruleForm.Check(body)) {
          const faults = [...ruleForm.Errors(body)].slice(0, 20).map(({ path, message }) => ({ path, message }))
          throw refuse('invalid_request', { details: { faults } })
        }
        set.status = 201
        return store.addRule(newId(), body)
      },
      { parse: 'json' },
    )
    .get('/behaviours', function getBehaviours() {
      return { data: store.rules() }
    })
    .delete('/behaviours', function deleteBehaviours({ set }) {
      store.deleteRules(null)
      set.status = 204
    })
    .delete('/behaviours/:id', function deleteBehaviour({ params, set }) {
      store.deleteRules(params.id)
      set.status = 204
    })
    .put(
      '/view',
      function putView({ body }) {
        if (!viewForm.Check(body)) throw refuse('invalid_request')
        view.change(body)
        return body
      },
      { parse: 'json' },
    )
    .get('/submits', function getSubmits({ query }) {
      const data = store.submits(
        submit =>
          (query.client_task_id === undefined || submit.client_task_id === query.client_task_id) &&
          (query.prompt === undefined || submit.prompt === query.prompt) &&
          (query.prompt_includes === undefined || submit.prompt.includes(query.prompt_includes)),
      )
      const requestOf = (id: string | null) => (id === null ? undefined : store.find(id)?.request)
      return { count: data.length, data: data.slice(-1_000).map(submit => ({ ...submit, request: requestOf(submit.generation_id) })) }
    })
    .post('/generations/:id/release', function postRelease({ params, set }) {
      if (!store.find(params.id)) throw refuse('not_found')
      progress.release(params.id)
      set.status = 202
      return { id: params.id }
    })
