import { takes } from '@filmgate/kit/request/read-json'
import { Elysia } from 'elysia'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import { EndpointChange, NewEndpoint, Replay } from './bodies'
import { deliveriesPart, type ForwardDeps, forward } from './forward'

/** The webhook endpoints of the caller's account and their deliveries, which the webhooks service keeps. */
export const webhookEndpoints = (deps: ForwardDeps & AuthenticateDeps) =>
  new Elysia({ name: 'webhook-endpoints', normalize: false })
    .use(authenticate(deps))
    .get('/webhook-endpoints', function getEndpoints({ caller: { accountId }, request, set }) {
      return forward(deps, { accountId, request, set })
    })
    .post(
      '/webhook-endpoints',
      function postEndpoint({ caller: { accountId }, request, set }) {
        return forward(deps, { accountId, request, set, schema: NewEndpoint })
      },
      takes(NewEndpoint),
    )
    .get('/webhook-endpoints/:id', function getEndpoint({ caller: { accountId }, params: { id }, request, set }) {
      return forward(deps, { accountId, request, set, endpointId: id })
    })
    .patch(
      '/webhook-endpoints/:id',
      function patchEndpoint({ caller: { accountId }, params: { id }, request, set }) {
        return forward(deps, { accountId, request, set, endpointId: id, schema: EndpointChange })
      },
      takes(EndpointChange),
    )
    .delete('/webhook-endpoints/:id', function deleteEndpoint({ caller: { accountId }, params: { id }, request, set }) {
      return forward(deps, { accountId, request, set, endpointId: id })
    })
    .post('/webhook-endpoints/:id/rotate', function postRotation({ caller: { accountId }, params: { id }, request, set }) {
      return forward(deps, { accountId, request, set, endpointId: id, part: 'rotate' })
    })
    .post('/webhook-endpoints/:id/test', function postTest({ caller: { accountId }, params: { id }, request, set }) {
      return forward(deps, { accountId, request, set, endpointId: id, part: 'test' })
    })
    .post('/webhook-endpoints/:id/resume', function postResumption({ caller: { accountId }, params: { id }, request, set }) {
      return forward(deps, { accountId, request, set, endpointId: id, part: 'resume' })
    })
    .get('/webhook-endpoints/:id/deliveries', function getDeliveries({ caller: { accountId }, params: { id }, request, set }) {
      return forward(deps, { accountId, request, set, endpointId: id, part: deliveriesPart(request.url) })
    })
    .post(
      '/webhook-endpoints/:id/replay',
      function postReplay({ caller: { accountId }, params: { id }, request, set }) {
        return forward(deps, { accountId, request, set, endpointId: id, part: 'replay', schema: Replay })
      },
      takes(Replay),
    )
