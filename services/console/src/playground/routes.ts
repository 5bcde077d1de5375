import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import { type Inside, type MemberDeps, memberOf, requireRole } from '../accounts/member-of'
import type { Person } from '../door/person'
import { type Form, readForm } from '../door/read-form'
import { isFormId, newFormId } from '../door/take-once'
import type { Reason } from '../errors'
import type { Gateway, Refused } from '../gateway/gateway'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import type { FindModels } from '../models/find-models'
import { type Chosen, chosenOf } from './chosen'
import { examplesOf } from './examples'
import { keepsForm, makeVideo } from './make-video'
import { playgroundPage, refusalNotice, type Shown } from './page'
import { type Estimate, issuesOf, priceOf } from './price'
import { refusalWords } from './refusal-words'
import { firstValues, priceableOf, requestOf, type Values, valuesOf } from './request-of'

export type PlaygroundDeps = MemberDeps & { gateway: Gateway; findModels: FindModels; apiUrl: string; takesUploads: boolean }

/** /accounts/:id/playground: a form made of the model cards, what it costs, and the video asked for. */
export const playground = (deps: PlaygroundDeps) =>
  new Elysia({ name: 'playground', normalize: false })
    .use(memberOf(deps))
    .get('/accounts/:id/playground', async function getPlayground({ request, set, ...inside }) {
      const query = new URL(request.url).searchParams
      const chosen = chosenOf(await deps.findModels(inside.person), query.get('model') ?? '', query.get('mode') ?? '')
      const asked = { ...chosen, values: firstValues(query, chosen.mode) }
      return answerPage(set, playgroundPage(await shownOf(deps, inside, asked, { formId: newFormId() })))
    })
    .post(
      '/accounts/:id/playground/estimate',
      async function postEstimate({ request, person, member }) {
        const { body, answer } = await estimate(deps, { person, member }, await readAsked(deps, person, await readForm(request)))
        return {
          price: priceOf(answer, accountPath(member.accountId, 'billing')).text,
          issues: issuesOf(answer),
          examples: examplesOf(deps.apiUrl, body),
        }
      },
      { parse: 'none' },
    )
    .post(
      '/accounts/:id/playground',
      async function postVideo({ request, set, ...inside }) {
        const { person, member } = inside
        requireRole(member, 'member')
        const form = await readForm(request)
        const formId = form.get('form')
        if (!isFormId(formId)) throw new Failure<Reason>('invalid_form')
        const asked = await readAsked(deps, person, form)
        const body = requestOf(asked.model.id, asked.modeName, asked.mode, asked.values)
        const made = await makeVideo(deps, { person, accountId: member.accountId, formId, body })
        const page = (request.headers.get('accept') ?? '').includes('text/html')
        if (made.ok) {
          const path = `${accountPath(member.accountId, 'tasks')}/${made.value.id}`
          return page ? seeOther(set, path) : { path }
        }
        const nextId = keepsForm(made) ? formId : newFormId()
        const notice = noticeOf(made, member.accountId)
        set.status = made.status
        if (made.retryAfter !== undefined) set.headers['retry-after'] = String(made.retryAfter)
        if (!page) {
          const text = typeof notice.text === 'string' ? notice.text : notice.text.text
          return { form: nextId, issues: issuesOf(made), notice: text }
        }
        const shown = await shownOf(deps, inside, asked, { formId: nextId, issues: issuesOf(made), notice })
        return answerPage(set, playgroundPage(shown), made.status)
      },
      { parse: 'none' },
    )

type Refusal = Pick<Shown, 'formId'> & Partial<Pick<Shown, 'issues' | 'notice'>>

type Asked = Chosen & { values: Values }

async function readAsked({ findModels }: PlaygroundDeps, person: Person, form: Form): Promise<Asked> {
  const chosen = chosenOf(await findModels(person), form.get('model'), form.get('mode'))
  return { ...chosen, values: valuesOf(form, chosen.mode) }
}

async function shownOf(deps: PlaygroundDeps, { person, member, memberships }: Inside, asked: Asked, refusal: Refusal): Promise<Shown> {
  const [models, { body, answer }] = await Promise.all([deps.findModels(person), estimate(deps, { person, member }, asked)])
  const price = priceOf(answer, accountPath(member.accountId, 'billing'))
  const examples = examplesOf(deps.apiUrl, body)
  return { person, member, memberships, models, ...asked, price, examples, issues: {}, uploads: deps.takesUploads, ...refusal }
}

async function estimate(
  deps: PlaygroundDeps,
  { person, member }: Pick<Inside, 'person' | 'member'>,
  { model, modeName, mode, values }: Asked,
) {
  const body = requestOf(model.id, modeName, mode, values)
  const path = `/accounts/${member.accountId}/estimate`
  const answer = await deps.gateway.ask<Estimate>(person, { method: 'POST', path, body: priceableOf(body, mode) })
  return { body, answer }
}

function noticeOf(refused: Refused, accountId: string) {
  const { code, details } = refused
  const taskId = details?.task_id
  const taskPath = typeof taskId === 'string' ? `${accountPath(accountId, 'tasks')}/${encodeURIComponent(taskId)}` : undefined
  return refusalNotice(refusalWords(refused), taskPath, code === 'insufficient_credits' ? accountPath(accountId, 'billing') : undefined)
}
