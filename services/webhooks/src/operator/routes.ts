import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import { operatorName } from '@filmgate/kit/operator/operator-name'
import type { Operators } from '@filmgate/kit/operator/operators'
import { RenewBody } from '@filmgate/kit/operator/renew-body'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import type { RenewedPortion } from '@filmgate/proto/operator/secret'
import type { WebhookDetails, WebhookEndpoint, WebhookEndpoints, WebhookReplay } from '@filmgate/proto/operator/webhook'
import { Elysia } from 'elysia'
import { deliveryView } from '../deliveries/delivery'
import { listDeliveries } from '../deliveries/delivery-repository'
import { ReplayBody, type ReplayDeps, replay } from '../deliveries/replay'
import { type Endpoint, endpointView } from '../endpoints/endpoint'
import { findEndpointOfAny, listAllEndpoints, resumeEndpoint } from '../endpoints/endpoint-repository'
import type { Reason } from '../errors'
import { renewSecrets } from '../secrets/renew-secrets'
import type { Vault } from '../secrets/vault'

export type OperatorDeps = ReplayDeps & { operators: Operators; vault: Vault }

const deliveriesMax = 20

/** Operators' routes, behind operators' tokens. */
export const operator = (deps: OperatorDeps) =>
  new Elysia({ name: 'operator', prefix: '/operator', normalize: false })
    .use(operatorAuth(deps.operators))
    .get('/accounts/:id/webhooks', async function getWebhooks({ params: { id } }): Promise<WebhookEndpoints> {
      return { data: (await listAllEndpoints(deps.sql, id)).map(operatorView) }
    })
    .get('/webhooks/:id', async function getWebhook({ params: { id } }): Promise<WebhookDetails> {
      const endpoint = await requireEndpoint(deps.sql, id)
      const rows = await listDeliveries(deps.sql, { endpointId: id, status: null, beforeSeq: null, limit: deliveriesMax })
      const deliveries = rows.map(deliveryView).map(({ attempts, ...delivery }) => {
        return { ...delivery, attempts: attempts.map(({ answer: _, ...attempt }) => attempt) }
      })
      return { endpoint: operatorView(endpoint), deliveries }
    })
    .post(
      '/webhooks/:id/resume',
      async function postResumption({ params: { id }, request }): Promise<WebhookEndpoint> {
        const endpoint = await resumeEndpoint(deps.sql, id, operatorName(request))
        if (!endpoint) throw new Failure<Reason>('not_found')
        deps.wake()
        return operatorView(endpoint)
      },
      needsRole('support'),
    )
    .post(
      '/webhooks/:id/replay',
      async function postReplay({ params: { id }, request }): Promise<WebhookReplay> {
        operatorName(request)
        const body = await readJsonAs(ReplayBody, request)
        await requireEndpoint(deps.sql, id)
        return replay(deps, id, body)
      },
      needsRole('support', ReplayBody),
    )
    .post(
      '/secrets/renew',
      async function postRenewal({ request }): Promise<RenewedPortion> {
        operatorName(request)
        const { after = '' } = await readJsonAs(RenewBody, request)
        return renewSecrets(deps, after)
      },
      needsRole('support', RenewBody),
    )

async function requireEndpoint(sql: Sql, id: string): Promise<Endpoint> {
  const endpoint = await findEndpointOfAny(sql, id)
  if (!endpoint) throw new Failure<Reason>('not_found')
  return endpoint
}

const operatorView = (endpoint: Endpoint): WebhookEndpoint => ({
  ...endpointView(endpoint),
  account_id: endpoint.accountId,
  failing_since: endpoint.failingSince?.toISOString() ?? null,
  resumed_at: endpoint.resumedAt?.toISOString() ?? null,
  resumed_by: endpoint.resumedBy,
})
