import { Failure } from '@filmgate/kit/failure'
import { readJson } from '@filmgate/kit/request/read-json'
import { Elysia } from 'elysia'
import type { FindBalance } from '../balances/find-balance'
import type { Catalog } from '../catalog/catalog-table'
import { checkRequest } from '../catalog/check-request'
import type { Reason } from '../errors'
import { type AuthenticateDeps, authenticate } from '../keys/authenticate'

export type EstimateDeps = { findBalance: FindBalance; currentCatalog(): Catalog }

/** POST /video/estimate: what a generation would cost, by the same check and the same price; nothing is downloaded, charged or made. */
export const estimate = (deps: EstimateDeps & AuthenticateDeps) =>
  new Elysia({ name: 'estimate', normalize: false }).use(authenticate(deps)).post(
    '/video/estimate',
    async function postEstimate({ request, caller, leftMs }) {
      const checked = checkRequest(deps.currentCatalog(), await readJson(request))
      if (!checked.ok) throw new Failure<Reason>(checked.code, { details: { issues: checked.issues } })
      const { credits, priceVersion, breakdown } = checked.model.price(checked.request)
      const available = (await deps.findBalance(caller.accountId, leftMs))?.available ?? 0
      return {
        credits,
        price_version: priceVersion,
        breakdown,
        request: checked.request,
        available: checked.model.available,
        within_max_credits: credits <= (checked.request.max_credits ?? Number.POSITIVE_INFINITY),
        sufficient_credits: credits <= available,
        available_credits: available,
      }
    },
    { parse: 'none' },
  )
