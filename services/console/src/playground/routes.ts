import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { type MemberContext, type MemberDeps, requireMember, requireRole } from '../accounts/require-member'
import { creditsLink, type SaleDeps } from '../billing/credits-link'
import type { Reason } from '../errors'
import type { TaskView } from '../gateway/gateway'
import type { Person } from '../http/person'
import { type FormFields, readForm } from '../http/read-form'
import { isFormId, newFormId } from '../http/submit-once'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import type { Notice } from '../layout/page'
import type { FindModels } from '../models/find-models'
import { canResubmit, createVideo } from './create-video'
import { errorNotice, noticeText } from './error-notice'
import { estimate, type PlaygroundInput } from './estimate'
import { requestExamples } from './examples'
import { buildRequest, initialValues, readValues } from './form/build-request'
import { type PlaygroundView, playgroundPage } from './page'
import { fieldIssues, priceSummary } from './price'
import { findRecentPrompts } from './recent-prompts'
import { selectModel } from './select-model'
import { readSimilar, type SimilarDeps } from './similar-values'

export type PlaygroundDeps = MemberDeps & SimilarDeps & SaleDeps & { findModels: FindModels; apiUrl: string; takesUploads: boolean }

/** /accounts/:id/playground: the form of a model, its price, and the request. */
export const playground = (deps: PlaygroundDeps) =>
  new Elysia({ name: 'playground', normalize: false })
    .use(requireMember(deps))
    .get('/accounts/:id/playground', async function getPlayground({ request, set, ...context }) {
      const query = new URL(request.url).searchParams
      const { hasLostFiles, ...input } = await firstInput(deps, context, query)
      const notice: Notice | undefined = hasLostFiles ? { kind: 'wrong', text: lostFilesText } : undefined
      const options = { formId: newFormId(), ...(notice && { notice }) }
      return answerPage(set, playgroundPage(await playgroundView(deps, context, input, options)))
    })
    .post(
      '/accounts/:id/playground/estimate',
      async function postEstimate({ request, person, member }) {
        const { body, answer } = await estimate(deps, { person, member }, await readInput(deps, person, await readForm(request)))
        return {
          price: priceSummary(answer, creditsLink(deps, member.accountId)).text,
          issues: fieldIssues(answer),
          examples: requestExamples(deps.apiUrl, body),
        }
      },
      { parse: 'none' },
    )
    .post(
      '/accounts/:id/playground',
      async function postVideo({ request, set, ...context }) {
        const { person, member } = context
        requireRole(member, 'member')
        const form = await readForm(request)
        const formId = form.get('form')
        if (!isFormId(formId)) throw new Failure<Reason>('invalid_form')
        const input = await readInput(deps, person, form)
        const body = buildRequest(input.model.id, input.modeName, input.mode, input.values)
        const result = await createVideo(deps, { person, accountId: member.accountId, formId, body })
        const page = (request.headers.get('accept') ?? '').includes('text/html')
        if (result.ok) {
          const path = `${accountPath(member.accountId, 'tasks')}/${result.value.id}`
          return page ? seeOther(set, path) : { path, ...outcomeOf(result.value) }
        }
        const nextId = canResubmit(result) ? formId : newFormId()
        const notice = errorNotice(deps, result, member.accountId)
        set.status = result.status
        if (result.retryAfter !== undefined) set.headers['retry-after'] = String(result.retryAfter)
        if (!page) return { form: nextId, issues: fieldIssues(result), notice: noticeText(notice) }
        const shown = await playgroundView(deps, context, input, { formId: nextId, issues: fieldIssues(result), notice })
        return answerPage(set, playgroundPage(shown), result.status)
      },
      { parse: 'none' },
    )

/** What a script that makes many counts. A form that is sent again may find its task failed. */
const outcomeOf = ({ status, credits_used, credits_refunded }: TaskView) => ({
  credits: credits_used - credits_refunded,
  failed: status === 'failed',
})

type ViewOptions = Pick<PlaygroundView, 'formId'> & Partial<Pick<PlaygroundView, 'issues' | 'notice'>>

const lostFilesText = 'Files that were uploaded for that video are deleted by now. Add them again.'

/** Another like a task of the account, or what the query says. */
async function firstInput(
  deps: PlaygroundDeps,
  { person, member }: Pick<MemberContext, 'person' | 'member'>,
  query: URLSearchParams,
): Promise<PlaygroundInput & { hasLostFiles?: boolean }> {
  const models = await deps.findModels(person)
  const taskId = query.get('task')
  if (taskId !== null)
    return readSimilar(deps, { actor: person, accountId: member.accountId, taskId, modelId: query.get('model') ?? '', models })
  const chosen = selectModel(models, query.get('model') ?? '', query.get('mode') ?? '')
  return { ...chosen, values: initialValues(query, chosen.mode) }
}

async function readInput({ findModels }: PlaygroundDeps, person: Person, form: FormFields): Promise<PlaygroundInput> {
  const chosen = selectModel(await findModels(person), form.get('model'), form.get('mode'))
  // What is sent is never another model's: one may be gone since the form was shown.
  if (chosen.model.id !== form.get('model') || chosen.modeName !== form.get('mode')) throw new Failure<Reason>('invalid_form')
  return { ...chosen, values: readValues(form, chosen.mode) }
}

async function playgroundView(
  deps: PlaygroundDeps,
  { person, member, memberships }: MemberContext,
  input: PlaygroundInput,
  options: ViewOptions,
): Promise<PlaygroundView> {
  const [models, { body, answer }, prompts] = await Promise.all([
    deps.findModels(person),
    estimate(deps, { person, member }, input),
    findRecentPrompts(deps.gateway, { actor: person, accountId: member.accountId }),
  ])
  const price = priceSummary(answer, creditsLink(deps, member.accountId))
  const examples = requestExamples(deps.apiUrl, body)
  return { person, member, memberships, models, ...input, price, examples, prompts, issues: {}, uploads: deps.takesUploads, ...options }
}
