import { takes } from '@filmgate/kit/request/read-json'
import { Elysia } from 'elysia'
import { EndpointChange, NewEndpoint, Replay } from '../../webhooks/bodies'
import { deliveriesPart, type ForwardDeps, forward } from '../../webhooks/forward'
import { type AuthDeps, accountAuth, throwIfClosed } from '../auth'

/** The API's routes of webhook endpoints, for the account of the path. */
export const webhookRoutes = (deps: AuthDeps & ForwardDeps) =>
  new Elysia({ normalize: false })
    .use(accountAuth(deps))
    .get('/accounts/:id/webhook-endpoints', function getEndpoints({ account, request, set }) {
      return forward(deps, { accountId: account.id, request, set })
    })
    .post(
      '/accounts/:id/webhook-endpoints',
      function postEndpoint({ account, request, set }) {
        throwIfClosed(account)
        return forward(deps, { accountId: account.id, request, set, schema: NewEndpoint })
      },
      takes(NewEndpoint),
    )
    .get('/accounts/:id/webhook-endpoints/:endpoint', function getEndpoint({ account, params: { endpoint }, request, set }) {
      return forward(deps, { accountId: account.id, request, set, endpointId: endpoint })
    })
    .patch(
      '/accounts/:id/webhook-endpoints/:endpoint',
      function patchEndpoint({ account, params: { endpoint }, request, set }) {
        return forward(deps, { accountId: account.id, request, set, endpointId: endpoint, schema: EndpointChange })
      },
      takes(EndpointChange),
    )
    .delete('/accounts/:id/webhook-endpoints/:endpoint', function deleteEndpoint({ account, params: { endpoint }, request, set }) {
      return forward(deps, { accountId: account.id, request, set, endpointId: endpoint })
    })
    .post('/accounts/:id/webhook-endpoints/:endpoint/rotate', function postRotation({ account, params: { endpoint }, request, set }) {
      return forward(deps, { accountId: account.id, request, set, endpointId: endpoint, part: 'rotate' })
    })
    .post('/accounts/:id/webhook-endpoints/:endpoint/test', function postTest({ account, params: { endpoint }, request, set }) {
      return forward(deps, { accountId: account.id, request, set, endpointId: endpoint, part: 'test' })
    })
    .post('/accounts/:id/webhook-endpoints/:endpoint/resume', function postResumption({ account, params: { endpoint }, request, set }) {
      return forward(deps, { accountId: account.id, request, set, endpointId: endpoint, part: 'resume' })
    })
    .get('/accounts/:id/webhook-endpoints/:endpoint/deliveries', function getDeliveries({ account, params: { endpoint }, request, set }) {
      return forward(deps, { accountId: account.id, request, set, endpointId: endpoint, part: deliveriesPart(request.url) })
    })
    .post(
      '/accounts/:id/webhook-endpoints/:endpoint/replay',
      function postReplay({ account, params: { endpoint }, request, set }) {
        return forward(deps, { accountId: account.id, request, set, endpointId: endpoint, part: 'replay', schema: Replay })
      },
      takes(Replay),
    )
