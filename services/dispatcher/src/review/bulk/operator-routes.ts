import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import { By, operatorName } from '@filmgate/kit/operator/operator-name'
import type { Operators } from '@filmgate/kit/operator/operators'
import { provenName } from '@filmgate/kit/operator/second-person'
import { checkBody } from '@filmgate/kit/request/check-body'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { words } from '@filmgate/kit/request/text'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { BulkReviewEnd, BulkReviewPreview } from '@filmgate/proto/operator/review'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Reason } from '../../errors'
import { outcomes } from '../decide-review'
import type { ReviewDeps } from '../end-review'
import { causeCharactersMax, providerForm } from '../read-filter'
import { approveBulkEnd } from './approve-bulk-end'
import { type BulkEnd, listBulkEnds } from './bulk-repository'
import { endNextReviews } from './end-next-reviews'
import { readTerms } from './read-terms'
import { type BulkDeps, previewBulkEnd, requestBulkEnd } from './request-bulk-end'
import { bulkEndView, previewView } from './views'

export type BulkRouteDeps = ReviewDeps & BulkDeps & { operators: Operators }

const terms = {
  provider: Type.String({ pattern: providerForm }),
  ...{ from: words(40), to: words(40), cause: Type.Optional(words(causeCharactersMax)) },
  outcome: Type.Union(outcomes.map(outcome => Type.Literal(outcome))),
}
const Terms = Type.Object(terms, { additionalProperties: false })
const Ask = Type.Object({ ...terms, reason: words(500), by: By }, { additionalProperties: false })

const listedMax = 50
const idForm = /^\d{1,15}$/

/** Reviews of a provider that are ended together. Whoever asks goes on with `next`, a batch a call, until it is done. */
export const bulkReviewRoutes = (deps: BulkRouteDeps) =>
  new Elysia({ name: 'bulk-review-ends', prefix: '/operator/bulk-review-ends', normalize: false })
    .use(operatorAuth(deps.operators))
    .get('', async function getBulkEnds(): Promise<Listed<BulkReviewEnd>> {
      return { data: (await listBulkEnds(deps.sql, listedMax)).map(bulkEndView) }
    })
    .get('/preview', async function getPreview({ request }): Promise<BulkReviewPreview> {
      const query = checkBody(Terms, Object.fromEntries(new URL(request.url).searchParams))
      const terms = readTerms(query, deps.now())
      return previewView(terms, deps.bulkReviewLimit, await previewBulkEnd(deps, terms))
    })
    .post(
      '',
      async function postBulkEnd({ request, set }): Promise<BulkReviewEnd> {
        const { reason, by, ...terms } = await readJsonAs(Ask, request)
        const asked = { reason, by: operatorName(request, by), provePerson: () => void provenName(request, by) }
        return viewOf(await requestBulkEnd(deps, { ...readTerms(terms, deps.now()), ...asked }), set)
      },
      needsRole('support', Ask),
    )
    .post(
      '/:id/approve',
      async function postApproval({ params: { id }, request, set }): Promise<BulkReviewEnd> {
        const by = provenName(request)
        return viewOf(await approveBulkEnd(deps, { id: numberOf(id), by }), set)
      },
      needsRole('money'),
    )
    .post(
      '/:id/next',
      async function postNext({ params: { id }, request, set }): Promise<BulkReviewEnd> {
        operatorName(request)
        return viewOf(await endNextReviews(deps, numberOf(id)), set)
      },
      needsRole('support'),
    )

/** 202 until it is done. */
function viewOf(bulk: BulkEnd, set: { status?: number | string }): BulkReviewEnd {
  const view = bulkEndView(bulk)
  if (view.state !== 'done') set.status = 202
  return view
}

function numberOf(id: string): number {
  if (!idForm.test(id)) throw new Failure<Reason>('bulk_end_not_found')
  return Number(id)
}
