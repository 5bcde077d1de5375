import { WebhookDetails, WebhookEndpoint, WebhookEndpoints, WebhookReplay } from '@filmgate/proto/operator/webhook'
import { OpsFault } from '../fault'
import { type Call, callFor } from '../operator-api'

const endpointPath = (endpointId: string) => `/webhooks/${encodeURIComponent(endpointId)}`

/** The webhook endpoints of an account, oldest first. */
export const webhookList = async (call: Call, { accountId }: { accountId: string }) =>
  (await callFor(call, WebhookEndpoints, 'webhooks', 'GET', `/accounts/${encodeURIComponent(accountId)}/webhooks`)).data

/** An endpoint and its latest deliveries. */
export const webhookShow = (call: Call, { endpointId }: { endpointId: string }) =>
  callFor(call, WebhookDetails, 'webhooks', 'GET', endpointPath(endpointId))

/** Ends the pause of an endpoint: what waited is delivered. */
export const webhookResume = (call: Call, { endpointId }: { endpointId: string }) =>
  callFor(call, WebhookEndpoint, 'webhooks', 'POST', `${endpointPath(endpointId)}/resume`)

export type ReplayInput = { endpointId: string; delivery?: string; from?: string; to?: string }

/** Sends one delivery of an endpoint again, or those created in a span. */
export function webhookReplay(call: Call, { endpointId, delivery, from, to }: ReplayInput) {
  if ((delivery === undefined) === (from === undefined || to === undefined))
    throw new OpsFault('Say which: --delivery ID, or --from TIME --to TIME.')
  const body = { ...(delivery && { delivery_id: delivery }), ...(from && { from }), ...(to && { to }) }
  return callFor(call, WebhookReplay, 'webhooks', 'POST', `${endpointPath(endpointId)}/replay`, body)
}
