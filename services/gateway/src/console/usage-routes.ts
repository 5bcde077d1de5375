import { Elysia } from 'elysia'
import { showRecords, showSums, type UsageDeps } from '../usage/show-usage'
import { type AuthDeps, accountAuth } from './auth'

/** As GET /usage and /usage/summary of the API, of both surfaces. */
export const usageRoutes = (deps: AuthDeps & UsageDeps) =>
  new Elysia({ normalize: false })
    .use(accountAuth(deps))
    .get('/accounts/:id/usage', async function getUsage({ request, account, leftMs, set }) {
      return showRecords(deps, { request, set, accountId: account.id, surfaces: 'all', leftMs })
    })
    .get('/accounts/:id/usage/summary', async function getUsageSummary({ request, account, leftMs, set }) {
      return showSums(deps, { request, set, accountId: account.id, surfaces: 'all', leftMs })
    })
