import type { Sql } from '@filmgate/kit/database/postgres'
import type { Secrets } from '@filmgate/kit/environment/secrets'
import { Failure } from '@filmgate/kit/failure'
import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { Elysia } from 'elysia'
import { accountAuth } from '../accounts/account-auth'
import { findEndpoint } from '../endpoints/endpoint-repository'
import type { Reason } from '../errors'
import { type DeliveryView, deliveryView } from './delivery'
import { listPage } from './list-page'
import { ReplayBody, type ReplayDeps, type Replayed, replay } from './replay'
import { type SendTestDeps, sendTest } from './send-test'

export type DeliveryRouteDeps = ReplayDeps & SendTestDeps & { tokens: Secrets }

/** What the gateway asks for an account: the deliveries of one of its endpoints. */
export const deliveryRoutes = (deps: DeliveryRouteDeps) =>
  new Elysia({ name: 'deliveries', prefix: '/accounts/:account/endpoints/:id', normalize: false })
    .use(accountAuth(deps.tokens))
    .get('/deliveries', async function getDeliveries({ params: { account, id }, request }) {
      await requireEndpoint(deps.sql, account, id)
      return listPage(deps.sql, id, request.url)
    })
    .post('/test', async function postTest({ params: { account, id }, set }): Promise<DeliveryView> {
      await requireEndpoint(deps.sql, account, id)
      set.status = 202
      return deliveryView(await sendTest(deps, id))
    })
    .post(
      '/replay',
      async function postReplay({ params: { account, id }, request, set }): Promise<Replayed> {
        const body = await readJsonAs(ReplayBody, request)
        await requireEndpoint(deps.sql, account, id)
        set.status = 202
        return replay(deps, id, body)
      },
      takes(ReplayBody),
    )

async function requireEndpoint(sql: Sql, accountId: string, id: string): Promise<void> {
  if (!(await findEndpoint(sql, accountId, id))) throw new Failure<Reason>('not_found')
}
