import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { type MemberContext, requireMember } from '../accounts/require-member'
import { creditsLink } from '../billing/credits-link'
import type { Reason } from '../errors'
import { readForm } from '../http/read-form'
import { isFormId, newFormId } from '../http/submit-once'
import { answerPage } from '../layout/answer-page'
import type { PlaygroundDeps } from '../playground/routes'
import { selectModel } from '../playground/select-model'
import { type BatchView, batchPage } from './page'
import { type PricedRows, priceRows } from './price-rows'
import { readRows } from './read-rows'

type Entered = { modelId: string; modeName: string; text: string; batchId: string }

/**
 * /accounts/:id/playground/batch: many prompts, checked and priced together. The page's script then makes them by the
 * playground's own route, one after another.
 */
export const batch = (deps: PlaygroundDeps) =>
  new Elysia({ name: 'batch', normalize: false })
    .use(requireMember(deps))
    .get('/accounts/:id/playground/batch', async function getBatch({ request, set, ...context }) {
      const query = new URL(request.url).searchParams
      const entered = { modelId: query.get('model') ?? '', modeName: query.get('mode') ?? '', text: '', batchId: newFormId() }
      return answerPage(set, batchPage(await batchView(deps, context, entered)))
    })
    .post(
      '/accounts/:id/playground/batch',
      async function postBatch({ request, set, ...context }) {
        const form = await readForm(request)
        const [modelId = '', modeName = ''] = form.get('choice').split(' ')
        const [text, batchId] = [form.get('text'), form.get('batch')]
        const view = await batchView(deps, context, { modelId, modeName, text, batchId })
        const isOfPage = view.model.id === modelId && view.modeName === modeName && isFormId(batchId)
        if (!isOfPage) throw new Failure<Reason>('invalid_form')
        const checked = await checkRows(deps, context, view)
        return answerPage(set, batchPage({ ...view, checked }), checked.issue === undefined ? 200 : 400)
      },
      { parse: 'none' },
    )

async function batchView(deps: PlaygroundDeps, context: MemberContext, { modelId, modeName, ...entered }: Entered): Promise<BatchView> {
  const models = await deps.findModels(context.person)
  const chosen = selectModel(models, modelId, modeName)
  return { ...context, ...chosen, ...entered, models, creditsLink: creditsLink(deps, context.member.accountId) }
}

async function checkRows(deps: PlaygroundDeps, context: MemberContext, view: BatchView): Promise<PricedRows> {
  const { rows, issue } = readRows(view.text, view.mode)
  return issue === undefined ? priceRows(deps, context, view, rows) : { rows, issue }
}
