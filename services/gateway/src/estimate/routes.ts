import { Elysia } from 'elysia'
import type { FindBalance } from '../balances/find-balance'
import type { Catalog } from '../catalog/catalog-table'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'
import { estimateRequest } from './estimate-request'

export type EstimateDeps = { findBalance: FindBalance; currentCatalog(): Catalog }

/** POST /video/estimate: what a generation would cost; nothing is downloaded, charged or made. */
export const estimate = (deps: EstimateDeps & AuthenticateDeps) =>
  new Elysia({ name: 'estimate', normalize: false }).use(authenticate(deps)).post(
    '/video/estimate',
    async function postEstimate({ request, caller, leftMs }) {
      const estimated = await estimateRequest(deps.currentCatalog(), request, caller)
      const available = (await deps.findBalance(caller.accountId, leftMs))?.available ?? 0
      return { ...estimated, sufficient_credits: estimated.credits <= available, available_credits: available }
    },
    { parse: 'none' },
  )
