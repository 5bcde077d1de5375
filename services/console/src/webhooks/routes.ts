import { Elysia } from 'elysia'
import { type MemberContext, type MemberDeps, requireMember, requireRole } from '../accounts/require-member'
import { requireRecentSignIn } from '../auth/require-recent-sign-in'
import type { GatewayError } from '../gateway/gateway'
import { readForm } from '../http/read-form'
import { newFormId, submitOnce } from '../http/submit-once'
import type { KeyDeps } from '../keys/create-key'
import { answerPage, seeOther } from '../layout/answer-page'
import { accountPath } from '../layout/menu'
import type { Notice } from '../layout/page'
import { actOnEndpoint, createEndpoint, type EndpointAct, findEndpoint, listDeliveries, listEndpoints, rotateSecret } from './ask-webhooks'
import { removePage, rotatePage, secretPage } from './confirm-pages'
import { deliveryStatuses, endpointPage, endpointPath } from './endpoint-page'
import { webhooksPage } from './page'
import { readNewEndpoint } from './read-new-endpoint'

export type WebhooksDeps = MemberDeps & KeyDeps & { apiOrigin: string }

const doneText: Record<string, string> = {
  test: 'The test is on its way. It is the newest delivery.',
  resume: 'The endpoint is resumed.',
  replay: 'The delivery is sent again.',
  remove: 'The endpoint is removed.',
}
const noticeOf = (done: string | undefined): Notice | undefined => {
  const text = doneText[done ?? '']
  return text === undefined ? undefined : { kind: 'done', text }
}

/** The webhook endpoints of an account and their deliveries, for its owners. */
export const webhooks = (deps: WebhooksDeps) =>
  new Elysia({ name: 'webhooks', normalize: false })
    .use(requireMember(deps))
    .get('/accounts/:id/webhooks', async function getWebhooks({ query, set, person, member, memberships }) {
      requireRole(member, 'owner')
      const { status, ...input } = await listInput(deps, { person, member, memberships })
      return answerPage(set, webhooksPage({ ...input, notice: input.notice ?? noticeOf(query.done) }), status)
    })
    .post('/accounts/:id/webhooks', async function postWebhook({ request, set, person, member, memberships }) {
      const context = { person, member, memberships }
      requireRole(member, 'owner')
      await requireRecentSignIn(deps, person)
      const form = await readForm(request)
      const read = readNewEndpoint(form)
      if (!read.ok) return answerPage(set, webhooksPage({ ...(await listInput(deps, context)), ...read }), 400)
      await submitOnce(deps.sql, form.get('form'))
      const made = await createEndpoint(deps, { person, accountId: member.accountId, ...read.fields })
      if (made.ok) return answerPage(set, secretPage({ ...context, apiOrigin: deps.apiOrigin, made: made.value }))
      const input = { ...(await listInput(deps, context)), fields: read.fields, notice: refusalNotice(made) }
      return answerPage(set, webhooksPage(input), made.status)
    })
    .get('/accounts/:id/webhooks/:endpoint', async function getWebhook({ params, query, set, person, member, memberships }) {
      const context = { person, member, memberships }
      const endpoint = await requireEndpoint(deps, context, params.endpoint)
      const status = deliveryStatuses.find(each => each === query.status) ?? ''
      const { cursor = '', done } = query
      const deliveries = await listDeliveries(deps, { person, accountId: member.accountId, endpointId: endpoint.id, status, cursor })
      return answerPage(set, endpointPage({ ...context, endpoint, deliveries, status, cursor, notice: noticeOf(done) }))
    })
    .get('/accounts/:id/webhooks/:endpoint/rotate', async function getRotation({ params, set, person, member, memberships }) {
      const context = { person, member, memberships }
      requireRole(member, 'owner')
      await requireRecentSignIn(deps, person)
      const endpoint = await requireEndpoint(deps, context, params.endpoint)
      return answerPage(set, rotatePage({ ...context, endpoint, formId: newFormId() }))
    })
    .post('/accounts/:id/webhooks/:endpoint/rotate', async function postRotation({ request, params, set, person, member, memberships }) {
      const context = { person, member, memberships }
      requireRole(member, 'owner')
      await requireRecentSignIn(deps, person)
      const form = await readForm(request)
      const endpoint = await requireEndpoint(deps, context, params.endpoint)
      await submitOnce(deps.sql, form.get('form'))
      const made = await rotateSecret(deps, { person, accountId: member.accountId, endpoint })
      if (made.ok) return answerPage(set, secretPage({ ...context, apiOrigin: deps.apiOrigin, made: made.value }))
      return answerPage(set, rotatePage({ ...context, endpoint, formId: newFormId(), notice: refusalNotice(made) }), made.status)
    })
    .get('/accounts/:id/webhooks/:endpoint/remove', async function getRemoval({ params, set, person, member, memberships }) {
      const context = { person, member, memberships }
      return answerPage(set, removePage({ ...context, endpoint: await requireEndpoint(deps, context, params.endpoint) }))
    })
    .post('/accounts/:id/webhooks/:endpoint/remove', async function postRemoval({ params, set, ...context }) {
      await act(deps, context, params.endpoint, { act: 'remove' })
      return seeOther(set, `${accountPath(context.member.accountId, 'webhooks')}?done=remove`)
    })
    .post('/accounts/:id/webhooks/:endpoint/test', async function postTest({ params, set, ...context }) {
      return seeOther(set, await act(deps, context, params.endpoint, { act: 'test' }))
    })
    .post('/accounts/:id/webhooks/:endpoint/resume', async function postResumption({ params, set, ...context }) {
      return seeOther(set, await act(deps, context, params.endpoint, { act: 'resume' }))
    })
    .post(
      '/accounts/:id/webhooks/:endpoint/replay',
      async function postReplay({ request, params, set, ...context }) {
        requireRole(context.member, 'owner')
        const form = await readForm(request)
        return seeOther(set, await act(deps, context, params.endpoint, { act: 'replay', deliveryId: form.get('delivery') }))
      },
      { parse: 'none' },
    )

/** Does it and returns the page of the endpoint, where the notice says so. */
async function act(
  deps: WebhooksDeps,
  context: MemberContext,
  endpointId: string,
  what: { act: EndpointAct; deliveryId?: string },
): Promise<string> {
  const { person, member } = context
  const endpoint = await requireEndpoint(deps, context, endpointId)
  await actOnEndpoint(deps, { person, accountId: member.accountId, endpoint, ...what })
  return `${endpointPath(member.accountId, endpoint.id)}?done=${what.act}`
}

async function requireEndpoint(deps: WebhooksDeps, { person, member }: MemberContext, endpointId: string) {
  requireRole(member, 'owner')
  return findEndpoint(deps, { person, accountId: member.accountId, endpointId })
}

const unavailable: Notice = { kind: 'wrong', text: 'Webhooks are not available at the moment.' }

async function listInput(deps: WebhooksDeps, { person, member, memberships }: MemberContext) {
  const list = await listEndpoints(deps, { person, accountId: member.accountId })
  const common = { person, member, memberships, formId: newFormId(), apiOrigin: deps.apiOrigin }
  return list.ok
    ? { ...common, endpoints: list.value.data, notice: undefined, status: 200 }
    : { ...common, endpoints: undefined, notice: unavailable, status: list.status }
}

/** What the service says is wrong with the address is its first issue. */
const refusalNotice = ({ message, details }: GatewayError): Notice => {
  const [issue] = (details?.issues ?? []) as { message?: string }[]
  return { kind: 'wrong', text: issue?.message ?? message }
}
