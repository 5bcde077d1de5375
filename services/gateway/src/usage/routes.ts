import { Elysia } from 'elysia'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import { showRecords, showSums, type UsageDeps } from './show-usage'

/** GET /usage and GET /usage/summary, as JSON, or as CSV where the client accepts text/csv. */
export const usage = (deps: UsageDeps & AuthenticateDeps) =>
  new Elysia({ name: 'usage', normalize: false })
    .use(authenticate(deps))
    .get('/usage', async function getUsage({ request, caller: { accountId }, leftMs, set }) {
      return showRecords(deps, { request, set, accountId, surfaces: 'api', leftMs })
    })
    .get('/usage/summary', async function getUsageSummary({ request, caller: { accountId }, leftMs, set }) {
      return showSums(deps, { request, set, accountId, surfaces: 'api', leftMs })
    })
