import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { operatorAuth } from '@filmgate/kit/operator/operator-auth'
import { By, operatorName } from '@filmgate/kit/operator/operator-name'
import type { Operators } from '@filmgate/kit/operator/operators'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { words } from '@filmgate/kit/request/text'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { DispatcherTask, ProviderAttempt } from '@filmgate/proto/operator/attempt'
import type { EndedReview, OpenReviews } from '@filmgate/proto/operator/review'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Reason } from '../errors'
import { type FindPostersDeps, findPosters } from '../output/find-posters'
import { findRelease } from '../recovery/release-repository'
import { acceptReview, type ReviewDeps, refundReview, retryReview } from './end-review'
import { readFilter } from './read-filter'
import { findAttemptsAtProvider, findAttemptsOfTask, findOpenReviews, findReviewDecisions } from './review-repository'
import { attemptView, decisionView, providerAttemptView, releaseView, reviewView } from './views'

export type ReviewRouteDeps = ReviewDeps & FindPostersDeps & { operators: Operators; outputReviewAfterMs: number }

const reason = words(500)
const providerTaskIdForm = /^[!-+\--~]{1,500}$/
const taskIdForm = /^[A-Za-z0-9_-]{1,120}$/
const Accept = Type.Object(
  { provider_task_id: Type.String({ pattern: providerTaskIdForm.source }), force: Type.Optional(Type.Boolean()), reason, by: By },
  { additionalProperties: false },
)
const Words = Type.Object({ reason, by: By }, { additionalProperties: false })
const reviewsMax = 500

/** What operators may see and do, behind a token of their own. */
export const reviewRoutes = (deps: ReviewRouteDeps) =>
  new Elysia({ name: 'operator', prefix: '/operator', normalize: false })
    .use(operatorAuth(deps.operators))
    .get('/tasks/:id', async function getTask({ params }): Promise<DispatcherTask> {
      const attempts = taskIdForm.test(params.id) ? await findAttemptsOfTask(deps.sql, params.id) : []
      if (attempts.length === 0) throw new Failure<Reason>('task_not_found')
      const kept = attempts.flatMap(({ outputKept, outputKey }) => (outputKept && outputKey ? [outputKey] : []))
      const [decisions, release, posters] = await Promise.all([
        findReviewDecisions(deps.sql, params.id),
        findRelease(deps.sql, params.id),
        findPosters(deps, kept),
      ])
      return {
        attempts: attempts.map(attempt => attemptView(attempt, posters.get(attempt.outputKey ?? ''), deps.outputReviewAfterMs)),
        review_decisions: decisions.map(decisionView),
        release: release ? releaseView(release) : null,
      }
    })
    .get('/attempts', async function getAttempts({ request }): Promise<Listed<ProviderAttempt>> {
      const id = new URL(request.url).searchParams.get('provider_task_id') ?? ''
      if (!providerTaskIdForm.test(id))
        throw new Failure<Reason>('invalid_request', {
          message: 'The query has a fault: provider_task_id must be an id of up to 500 characters.',
        })
      return { data: (await findAttemptsAtProvider(deps.sql, id)).map(providerAttemptView) }
    })
    .get('/reviews', async function getReviews({ request }): Promise<OpenReviews> {
      const rows = await findOpenReviews(deps.sql, readFilter(new URL(request.url).searchParams), reviewsMax)
      return { data: rows.map(reviewView), total: rows[0]?.total ?? 0 }
    })
    .post(
      '/reviews/:taskId/accept',
      async function postAccept({ params: { taskId }, request }): Promise<EndedReview> {
        const { provider_task_id, force = false, reason, by } = await readJsonAs(Accept, request)
        if (!taskIdForm.test(taskId)) throw new Failure<Reason>('not_in_review')
        await acceptReview(deps, { taskId, providerTaskId: provider_task_id, force, reason, by: operatorName(request, by) })
        return { task_id: taskId, decision: 'accept' }
      },
      needsRole('support', Accept),
    )
    .post(
      '/reviews/:taskId/refund',
      async function postRefund({ params: { taskId }, request }): Promise<EndedReview> {
        const { reason, by } = await readJsonAs(Words, request)
        if (!taskIdForm.test(taskId)) throw new Failure<Reason>('not_in_review')
        await refundReview(deps, { taskId, reason, by: operatorName(request, by) })
        return { task_id: taskId, decision: 'refund' }
      },
      needsRole('support', Words),
    )
    .post(
      '/reviews/:taskId/retry',
      async function postRetry({ params: { taskId }, request }): Promise<EndedReview> {
        const { reason, by } = await readJsonAs(Words, request)
        if (!taskIdForm.test(taskId)) throw new Failure<Reason>('not_in_review')
        await retryReview(deps, { taskId, reason, by: operatorName(request, by) })
        return { task_id: taskId, decision: 'retry' }
      },
      needsRole('support', Words),
    )
