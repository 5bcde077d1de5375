import { Failure } from '@filmgate/kit/failure'
import { readJson } from '@filmgate/kit/request/read-json'
import type { Catalog } from '../catalog/catalog-table'
import { checkRequest } from '../catalog/check-request'
import type { Reason } from '../errors'
import { refuseForeignUploads } from '../generations/refuse-uploads'
import { throwUnlessBound } from '../keys/bindings/read-bindings'

/** `models`: those that the key is bound to, if it is. */
type EstimateFor = { accountId: string; models?: readonly string[] | null }

/** What a generation would cost, and whether it would be let through, by the same check and the same price. */
export async function estimateRequest(catalog: Catalog, request: Request, { accountId, models }: EstimateFor) {
  const checked = checkRequest(catalog, await readJson(request))
  if (!checked.ok) throw new Failure<Reason>(checked.code, { details: { issues: checked.issues } })
  throwUnlessBound({ models }, checked.request.model)
  refuseForeignUploads(checked.model, checked.request, accountId)
  const { credits, priceVersion, breakdown } = checked.model.price(checked.request)
  return {
    credits,
    price_version: priceVersion,
    breakdown,
    request: checked.request,
    available: checked.model.available,
    within_max_credits: credits <= (checked.request.max_credits ?? Number.POSITIVE_INFINITY),
  }
}
