import { Failure } from '@filmgate/kit/failure'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Reason } from '../errors'
import type { GatewayResult, Page, WebhookDeliveryView, WebhookEndpointView, WebhookSecret } from '../gateway/gateway'
import type { Person } from '../http/person'
import type { KeyDeps } from '../keys/create-key'
import { requestSecret } from '../keys/request-secret'
import { enforceLimit } from '../limits/enforce-limit'
import { webhookLimit } from '../limits/limits'

export type EndpointInput = { person: Person; accountId: string; endpoint: WebhookEndpointView }
export type DeliveriesInput = { person: Person; accountId: string; endpointId: string; status: string; cursor: string }

const secretLostText =
  'Filmgate did not answer in time, so the outcome is unknown. Check the list of endpoints. If the secret of one was never shown to you, rotate it.'

const pathOf = (accountId: string, endpointId?: string, part?: string): string =>
  ['', 'accounts', accountId, 'webhook-endpoints', endpointId && encodeURIComponent(endpointId), part]
    .filter(each => each !== undefined)
    .join('/')

/** Who owns an address that events go to; the rest of it may be a secret, and the audit log is for all members. */
const hostOf = (url: string): string => new URL(url).host

export const listEndpoints = (
  { gateway }: KeyDeps,
  { person, accountId }: { person: Person; accountId: string },
): Promise<GatewayResult<Page<WebhookEndpointView>>> => gateway.request(person, { path: pathOf(accountId) })

export const findEndpoint = (
  { gateway }: KeyDeps,
  { person, accountId, endpointId }: { person: Person; accountId: string; endpointId: string },
): Promise<WebhookEndpointView> => gateway.get(person, pathOf(accountId, endpointId))

export const listDeliveries = (
  { gateway }: KeyDeps,
  { person, accountId, endpointId, status, cursor }: DeliveriesInput,
): Promise<Page<WebhookDeliveryView>> => {
  const query = new URLSearchParams({ ...(status !== '' && { status }), ...(cursor !== '' && { cursor }), limit: '20' })
  return gateway.get(person, `${pathOf(accountId, endpointId, 'deliveries')}?${query}`)
}

/** The secret is only in the response; the console stores nothing of it. */
export async function createEndpoint(
  { sql, gateway }: KeyDeps,
  {
    person,
    accountId,
    url,
    events,
    description,
  }: { person: Person; accountId: string; url: string; events: string[]; description: string },
): Promise<GatewayResult<WebhookSecret>> {
  await enforceLimit(sql, webhookLimit, accountId)
  const body = { url, events, description }
  const made = await requestSecret<WebhookSecret>(gateway, person, { method: 'POST', path: pathOf(accountId), body }, secretLostText)
  if (made.ok)
    await insertAuditEntry(sql, person, { accountId, action: 'webhook.created', subject: made.value.id, details: { host: hostOf(url) } })
  return made
}

export async function rotateSecret(
  { sql, gateway }: KeyDeps,
  { person, accountId, endpoint }: EndpointInput,
): Promise<GatewayResult<WebhookSecret>> {
  await enforceLimit(sql, webhookLimit, accountId)
  const path = pathOf(accountId, endpoint.id, 'rotate')
  const made = await requestSecret<WebhookSecret>(gateway, person, { method: 'POST', path }, secretLostText)
  if (made.ok) await recordAct({ sql }, { person, accountId, endpoint }, 'webhook.rotated')
  return made
}

const acts = { test: 'webhook.tested', resume: 'webhook.resumed', replay: 'webhook.replayed', remove: 'webhook.removed' } as const
export type EndpointAct = keyof typeof acts

/** Does what needs no answer of its own. `deliveryId`: what is sent again. */
export async function actOnEndpoint(
  { sql, gateway }: KeyDeps,
  input: EndpointInput & { act: EndpointAct; deliveryId?: string },
): Promise<void> {
  const { person, accountId, endpoint, act, deliveryId } = input
  await enforceLimit(sql, webhookLimit, accountId)
  const answer = await gateway.request(person, {
    ...(act === 'remove'
      ? { method: 'DELETE', path: pathOf(accountId, endpoint.id) }
      : { method: 'POST', path: pathOf(accountId, endpoint.id, act) }),
    ...(act === 'replay' && { body: { delivery_id: deliveryId } }),
  })
  if (!answer.ok && answer.status === 429) throw new Failure<Reason>('too_many')
  if (!answer.ok && answer.status < 500) throw new Failure<Reason>('not_found')
  if (!answer.ok) throw new Failure<Reason>('service_unavailable', { internal: `the gateway answered ${answer.status} ${answer.code}` })
  await recordAct({ sql }, input, acts[act])
}

const recordAct = ({ sql }: Pick<KeyDeps, 'sql'>, { person, accountId, endpoint }: EndpointInput, action: string) =>
  insertAuditEntry(sql, person, { accountId, action, subject: endpoint.id, details: { host: hostOf(endpoint.url) } })
