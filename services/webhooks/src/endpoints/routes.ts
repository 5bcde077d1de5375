import type { Secrets } from '@filmgate/kit/environment/secrets'
import { Failure } from '@filmgate/kit/failure'
import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { Elysia } from 'elysia'
import { accountAuth } from '../accounts/account-auth'
import type { Reason } from '../errors'
import { checkEndpointUrl } from './check-endpoint-url'
import { type CreateEndpointDeps, createEndpoint } from './create-endpoint'
import { EndpointChange, type EndpointView, endpointView, NewEndpoint } from './endpoint'
import { findEndpoint, listEndpoints, markDeleted, resumeEndpoint, updateEndpoint } from './endpoint-repository'
import { rotateSecret } from './rotate-secret'

export type EndpointRouteDeps = CreateEndpointDeps & { tokens: Secrets; wake(): void }

/** What the gateway asks for an account: its endpoints. */
export const endpointRoutes = (deps: EndpointRouteDeps) =>
  new Elysia({ name: 'endpoints', prefix: '/accounts/:account/endpoints', normalize: false })
    .use(accountAuth(deps.tokens))
    .get('/', async function getEndpoints({ params: { account } }) {
      return { object: 'list', data: (await listEndpoints(deps.sql, account)).map(endpointView), next_cursor: null }
    })
    .post(
      '/',
      async function postEndpoint({ params: { account }, request, set }) {
        const { endpoint, secret } = await createEndpoint(deps, { ...(await readJsonAs(NewEndpoint, request)), accountId: account })
        set.status = 201
        return { ...endpointView(endpoint), secret }
      },
      takes(NewEndpoint),
    )
    .get('/:id', async function getEndpoint({ params: { account, id } }): Promise<EndpointView> {
      return endpointView(known(await findEndpoint(deps.sql, account, id)))
    })
    .patch(
      '/:id',
      async function patchEndpoint({ params: { account, id }, request }): Promise<EndpointView> {
        const change = await readJsonAs(EndpointChange, request)
        if (change.url !== undefined) checkEndpointUrl(deps.policy, change.url)
        return endpointView(known(await updateEndpoint(deps.sql, account, id, change)))
      },
      takes(EndpointChange),
    )
    .delete('/:id', async function deleteEndpoint({ params: { account, id }, set }) {
      if (!(await markDeleted(deps.sql, account, id))) throw new Failure<Reason>('not_found')
      set.status = 204
    })
    .post('/:id/rotate', async function postRotation({ params: { account, id } }) {
      const { endpoint, secret } = known(await rotateSecret(deps, { accountId: account, id }))
      return { ...endpointView(endpoint), secret, former_secret_until: endpoint.formerSecretUntil.toISOString() }
    })
    .post('/:id/resume', async function postResumption({ params: { account, id } }): Promise<EndpointView> {
      known(await findEndpoint(deps.sql, account, id))
      const endpoint = known(await resumeEndpoint(deps.sql, id, null))
      deps.wake()
      return endpointView(endpoint)
    })

/** Another account's endpoint is as unknown as one that never was. */
function known<T>(found: T | undefined): T {
  if (found === undefined) throw new Failure<Reason>('not_found')
  return found
}
