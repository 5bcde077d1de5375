import { Elysia } from 'elysia'
import { showRecords, showSums, type UsageDeps } from '../usage/show-usage'
import { accountDoor, type DoorDeps } from './door'

/** As GET /usage and /usage/summary of the API, of both surfaces. */
export const usageRoutes = (deps: DoorDeps & UsageDeps) =>
  new Elysia({ normalize: false })
    .use(accountDoor(deps))
    .get('/accounts/:id/usage', async function getUsage({ request, account, leftMs, set }) {
      return showRecords(deps, { request, set, accountId: account.id, surfaces: 'all', leftMs })
    })
    .get('/accounts/:id/usage/summary', async function getUsageSummary({ request, account, leftMs, set }) {
      return showSums(deps, { request, set, accountId: account.id, surfaces: 'all', leftMs })
    })
