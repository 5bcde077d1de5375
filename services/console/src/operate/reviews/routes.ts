import { act } from '@filmgate/kit/operator/act'
import { listOf } from '@filmgate/proto/operator/answer'
import { ReviewRow } from '@filmgate/proto/operator/attempt'
import { ReviewedTask } from '@filmgate/proto/operator/task'
import { Elysia } from 'elysia'
import { readForm } from '../../http/read-form'
import { answerPage, seeOther } from '../../layout/answer-page'
import { type OperateDeps, requireOperator } from '../access/require-operator'
import { actionNotice, actionPath, findShownAction } from '../actions/shown-action'
import { reviewPath } from '../layout/menu'
import { accountOf } from '../tasks/routes'
import { readTaskHistory } from '../tasks/task-history'
import { type Decision, endReview } from './end-review'
import { reviewsPage } from './page'
import { reviewPage } from './review-page'

export const reviews = (deps: OperateDeps) =>
  new Elysia({ normalize: false })
    .use(requireOperator(deps))
    .get('/operate/reviews', async function getReviews({ operator, set }) {
      const [attempts, tasks] = await Promise.all([
        deps.services.ask(operator.person, 'dispatcher', { answer: listOf(ReviewRow), path: '/reviews' }),
        deps.services.ask(operator.person, 'gateway', { answer: listOf(ReviewedTask), path: '/reviews' }),
      ])
      return answerPage(set, reviewsPage({ operator, attempts, tasks }))
    })
    .get('/operate/reviews/:id', async function getReview({ operator, request, params: { id }, set }) {
      const [history, last] = await Promise.all([readTaskHistory(deps, operator, id), findShownAction(deps.sql, request, operator)])
      return answerPage(set, reviewPage({ operator, history, last, notice: actionNotice(last) }))
    })
    .post('/operate/reviews/:id/accept', postDecision(deps, 'accept'), { ...act('support'), parse: 'none' })
    .post('/operate/reviews/:id/refund', postDecision(deps, 'refund'), { ...act('support'), parse: 'none' })
    .post('/operate/reviews/:id/retry', postDecision(deps, 'retry'), { ...act('support'), parse: 'none' })

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
