import { needsRole } from '@filmgate/kit/operator/needs-role'
import { listOf } from '@filmgate/proto/operator/answer'
import { BulkReviewEnd, BulkReviewPreview, OpenReviews } from '@filmgate/proto/operator/review'
import { ReviewedTask } from '@filmgate/proto/operator/task'
import { Elysia } from 'elysia'
import { readForm } from '../../http/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { actionNotice, actionPath, findShownAction } from '../actions/shown-action'
import { reviewPath, sections } from '../layout/menu'
import { accountOf } from '../tasks/routes'
import { readTaskHistory } from '../tasks/task-history'
import { bulkPath } from './bulk-forms'
import { type Decision, endReview } from './end-review'
import { approveReviews, continueReviews, endReviews } from './end-reviews'
import { reviewsPage } from './page'
import { type BulkTerms, isWhole, readBulkTerms } from './read-bulk-terms'
import { reviewPage } from './review-page'

export const reviews = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(requireOperator(deps))
    .get(reviewsPath, async function getReviews({ operator, request, set }) {
      const query = new URL(request.url).searchParams
      const last = await findShownAction(deps.sql, request, operator)
      const refused = last?.action === 'reviews_ended' && last.outcome !== 'done' ? last.details : {}
      const terms = readBulkTerms(name => query.get(name) ?? String(refused[name] ?? ''))
      const [attempts, tasks, bulks, preview] = await Promise.all([
        deps.services.ask(operator.person, 'dispatcher', { answer: OpenReviews, path: '/reviews' }),
        deps.services.ask(operator.person, 'gateway', { answer: listOf(ReviewedTask), path: '/reviews' }),
        deps.services.ask(operator.person, 'dispatcher', { answer: listOf(BulkReviewEnd), path: '/bulk-review-ends' }),
        isWhole(terms) ? deps.services.ask(operator.person, 'dispatcher', previewOf(terms)) : undefined,
      ])
      return answerPage(set, reviewsPage({ operator, attempts, tasks, bulks, terms, preview, last, notice: actionNotice(last) }))
    })
    .get('/operate/reviews/:id', async function getReview({ operator, request, params: { id }, set }) {
      const [history, last] = await Promise.all([readTaskHistory(deps, operator, id), findShownAction(deps.sql, request, operator)])
      return answerPage(set, reviewPage({ operator, history, last, notice: actionNotice(last) }))
    })
    .post('/operate/reviews/:id/accept', postDecision(deps, 'accept'), { ...needsRole('support'), parse: 'none' })
    .post('/operate/reviews/:id/refund', postDecision(deps, 'refund'), { ...needsRole('support'), parse: 'none' })
    .post('/operate/reviews/:id/retry', postDecision(deps, 'retry'), { ...needsRole('support'), parse: 'none' })
    .post(
      bulkPath,
      async function postBulkEnd({ operator, request, set }) {
        return seeOther(set, actionPath(reviewsPath, await endReviews(deps, operator, await readForm(request))))
      },
      { ...needsRole('support'), parse: 'none' },
    )
    .post(
      `${bulkPath}/:id/approve`,
      async function postApproval({ operator, request, params: { id }, set }) {
        return seeOther(set, actionPath(reviewsPath, await approveReviews(deps, operator, await readForm(request), id)))
      },
      { ...needsRole('money'), parse: 'none' },
    )
    .post(
      `${bulkPath}/:id/next`,
      async function postNext({ operator, request, params: { id }, set }) {
        return seeOther(set, actionPath(reviewsPath, await continueReviews(deps, operator, await readForm(request), id)))
      },
      { ...needsRole('support'), parse: 'none' },
    )

const reviewsPath = sections.reviews[0]

const previewOf = (terms: BulkTerms) => ({ answer: BulkReviewPreview, path: `/bulk-review-ends/preview?${new URLSearchParams(terms)}` })

type PostContext = {
  operator: Parameters<typeof endReview>[1]
  request: Request
  params: { id: string }
  set: Parameters<typeof seeOther>[0]
}

const postDecision = (deps: OperateDeps, decision: Decision) =>
  async function postDecision({ operator, request, params: { id }, set }: PostContext) {
    const form = await readForm(request)
    const accountId = accountOf(await readTaskHistory(deps, operator, id))
    return seeOther(set, actionPath(reviewPath(id), await endReview(deps, operator, form, { decision, taskId: id, accountId })))
  }
