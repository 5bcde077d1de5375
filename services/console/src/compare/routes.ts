import { Failure, invariant } from '@filmgate/kit/failure'
import { html } from '@filmgate/kit/http/html'
import { Elysia } from 'elysia'
import { type MemberContext, requireMember, requireRole } from '../accounts/require-member'
import { creditsLink } from '../billing/credits-link'
import type { Reason } from '../errors'
import { type FormFields, readForm } from '../http/read-form'
import { isFormId, newFormId } from '../http/submit-once'
import { answerPage, type Settable, seeOther } from '../layout/answer-page'
import type { Notice } from '../layout/page'
import { canResubmit } from '../playground/create-video'
import { errorNotice, noticeText } from '../playground/error-notice'
import { estimate } from '../playground/estimate'
import { initialValues, readValues, type Values } from '../playground/form/build-request'
import type { PlaygroundDeps } from '../playground/routes'
import { refreshTasks } from '../tasks/gallery/refresh-tasks'
import { type CreateResult, createVideos, videosPath } from './create-videos'
import { type CompareView, comparePage, nothingToCompare } from './page'
import { issuesOfModels, type ModelEstimate, pricesSummary } from './prices'
import { comparedMax, type ModelsSelection, selectModels } from './select-models'
import { type Refused, videoCard, videosPage } from './videos-page'

type Comparison = ModelsSelection & { mode: NonNullable<ModelsSelection['mode']>; values: Values }

/** /accounts/:id/playground/compare: one request for several models, their prices, and their videos side by side. */
export const compare = (deps: PlaygroundDeps) =>
  new Elysia({ name: 'compare', normalize: false })
    .use(requireMember(deps))
    .get('/accounts/:id/playground/compare', async function getCompare({ request, set, ...context }) {
      const query = new URL(request.url).searchParams
      const chosen = selectModels(await deps.findModels(context.person), query.getAll('model'), query.get('mode') ?? '')
      const { mode } = chosen
      if (!mode) return answerPage(set, nothingToCompare({ ...context, ...chosen }))
      return answerPage(set, comparePage(await compareView(deps, context, { ...chosen, mode, values: initialValues(query, mode) })))
    })
    .post(
      '/accounts/:id/playground/compare/estimate',
      async function postEstimates({ request, ...context }) {
        const comparison = await readComparison(deps, context, await readForm(request))
        const estimates = await estimateEach(deps, context, comparison)
        const price = pricesSummary(estimates, creditsLink(deps, context.member.accountId))
        return { price: price.text, issues: issuesOfModels(estimates), examples: {} }
      },
      { parse: 'none' },
    )
    .post(
      '/accounts/:id/playground/compare',
      async function postVideos({ request, set, ...context }) {
        const { person, member } = context
        requireRole(member, 'member')
        const form = await readForm(request)
        const comparison = await readComparison(deps, context, form)
        const formIds = form.get('form').split(' ')
        if (formIds.length !== comparison.models.length || !formIds.every(isFormId) || new Set(formIds).size < formIds.length)
          throw new Failure<Reason>('invalid_form')
        const results = await createVideos(deps, { ...comparison, person, accountId: member.accountId, formIds })
        const path = videosPath(member.accountId, results)
        const isPage = (request.headers.get('accept') ?? '').includes('text/html')
        if (path !== undefined) return isPage ? seeOther(set, path) : { path }
        return refusedAll(deps, context, { comparison, results, formIds, isPage, set })
      },
      { parse: 'none' },
    )
    .get('/accounts/:id/playground/compare/videos', async function getVideos({ request, set, ...context }) {
      const query = new URL(request.url).searchParams
      const { accountId } = context.member
      const ids = query.getAll('task').slice(0, comparedMax)
      const [tasks, models] = await Promise.all([
        refreshTasks(deps.gateway, { actor: context.person, accountId, ids }),
        deps.findModels(context.person),
      ])
      if (tasks.length === 0) throw new Failure<Reason>('not_found')
      const known = new Set(models.data.map(({ id }) => id))
      const refused = query.getAll('refused').slice(0, comparedMax).map(readRefused)
      return answerPage(set, videosPage({ ...context, tasks, refused: refused.filter(({ modelId }) => known.has(modelId)) }))
    })
    .get('/accounts/:id/playground/compare/live', async function getLiveVideos({ request, person, member: { accountId } }) {
      const ids = (new URL(request.url).searchParams.get('ids') ?? '').split(',').slice(0, comparedMax)
      const found = await refreshTasks(deps.gateway, { actor: person, accountId, ids })
      return { tasks: found.map(task => ({ id: task.id, status: task.status, card: videoCard(accountId, task).text })) }
    })

type RequestContext = Pick<MemberContext, 'person' | 'member'>

/** Throws if the form is none of this page: its models are always some that have the mode in common. */
async function readComparison({ findModels }: PlaygroundDeps, { person }: RequestContext, form: FormFields): Promise<Comparison> {
  const ids = form.get('models').split(' ')
  const chosen = selectModels(await findModels(person), ids, form.get('mode'))
  const { mode } = chosen
  if (!mode || chosen.models.length < ids.length || chosen.modeName !== form.get('mode')) throw new Failure<Reason>('invalid_form')
  return { ...chosen, mode, values: readValues(form, mode) }
}

const estimateEach = (deps: PlaygroundDeps, context: RequestContext, { models, ...shared }: Comparison): Promise<ModelEstimate[]> =>
  Promise.all(models.map(async model => ({ modelId: model.id, answer: (await estimate(deps, context, { ...shared, model })).answer })))

type ViewOptions = Partial<Pick<CompareView, 'formIds' | 'issues' | 'notice'>>

async function compareView(
  deps: PlaygroundDeps,
  context: MemberContext,
  comparison: Comparison,
  options: ViewOptions = {},
): Promise<CompareView> {
  const price = pricesSummary(await estimateEach(deps, context, comparison), creditsLink(deps, context.member.accountId))
  const formIds = comparison.models.map(newFormId)
  return { ...context, ...comparison, price, formIds, issues: {}, uploads: deps.takesUploads, ...options }
}

type Refusal = { comparison: Comparison; results: CreateResult[]; formIds: string[]; isPage: boolean; set: Settable }

/** The form again, with why no model took it. */
async function refusedAll(deps: PlaygroundDeps, context: MemberContext, { comparison, results, formIds, isPage, set }: Refusal) {
  const errors = results.flatMap(({ modelId, result }) => (result.ok ? [] : [{ modelId, ...result }]))
  // What may be sent again keeps its id, and its error comes first.
  const [first] = errors.toSorted((a, b) => Number(canResubmit(b)) - Number(canResubmit(a)))
  invariant(first, 'a comparison without a task has errors')
  const issues = issuesOfModels(results.map(({ modelId, result }) => ({ modelId, answer: result })))
  const notice = noticeOfModels(
    errors.map(error => ({ modelId: error.modelId, notice: errorNotice(deps, error, context.member.accountId) })),
  )
  const nextIds = errors.some(canResubmit) ? formIds : comparison.models.map(newFormId)
  set.status = first.status
  if (first.retryAfter !== undefined) set.headers['retry-after'] = String(first.retryAfter)
  if (!isPage) return { form: nextIds.join(' '), issues, notice: noticeText(notice) }
  return answerPage(set, comparePage(await compareView(deps, context, comparison, { formIds: nextIds, issues, notice })), first.status)
}

/** What each model's answer was. */
const noticeOfModels = (all: { modelId: string; notice: Notice }[]): Notice => ({
  kind: 'wrong',
  text: html`${all.map(({ modelId, notice: { text } }, index) => html`${index > 0 && html`<br>`}${modelId}: ${text}`)}`,
})

/** As `videosPath` writes it. */
function readRefused(text: string): Refused {
  const [modelId = '', status = '', code = ''] = text.split(' ')
  return { modelId, status, code }
}
