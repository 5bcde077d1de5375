import { html } from '@filmgate/kit/http/html'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { BulkReviewEnd, BulkReviewPreview, OpenReviews } from '@filmgate/proto/operator/review'
import type { ReviewedTask } from '@filmgate/proto/operator/task'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import type { ActionRow } from '../actions/action-repository'
import { reviewPath } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { accountLink, table, tag, taskLink } from '../layout/parts'
import { errorMessage, type ServiceResult } from '../services/services'
import { bulkEnds, chooseForm, previewSection } from './bulk-forms'
import { type BulkTerms, isWhole } from './read-bulk-terms'

type View = {
  operator: Operator
  attempts: ServiceResult<OpenReviews>
  tasks: ServiceResult<Listed<ReviewedTask>>
  bulks: ServiceResult<Listed<BulkReviewEnd>>
  /** What was chosen to be ended together, and what that would mean. */
  terms: BulkTerms
  preview: ServiceResult<BulkReviewPreview> | undefined
  last: ActionRow | undefined
  notice: Notice | undefined
}

/** Open reviews, oldest first: the dispatcher's attempts, with the gateway's task. */
export function reviewsPage({ operator, attempts, tasks, bulks, terms, preview, last, notice }: View): string {
  const known = new Map(tasks.ok ? tasks.value.data.map(task => [task.id, task]) : [])
  const rows = attempts.ok ? attempts.value.data : []
  const alone = attempts.ok ? [...known.values()].filter(({ id }) => !rows.some(({ task_id }) => task_id === id)) : []
  return operatePage({
    operator,
    section: 'reviews',
    title: 'Reviews',
    notice,
    content: html`<p>It is unknown whether the provider accepted these tasks. Check at the provider, then end the review. Oldest first.</p>
${[attempts, tasks].map(response => !response.ok && html`<p class="notice wrong" role="alert">${errorMessage(response)}</p>`)}
${
  attempts.ok &&
  attempts.value.total !== undefined &&
  attempts.value.total > rows.length &&
  html`<p class="soft">${number(attempts.value.total)} are open; the oldest ${number(rows.length)} are shown.</p>`
}
${
  attempts.ok &&
  table(
    'Reviews',
    ['Task', 'In review since', 'Provider', 'Status', 'Provider’s answer', 'Model', { name: 'Credits', number: true }, 'Account'],
    rows.map(review => [
      html`<a class="mono" href="${reviewPath(review.task_id)}">${review.task_id}</a>`,
      time(review.review_since),
      review.provider,
      tag(review.state),
      html`<div class="wide-cell">${review.cause ?? 'none'}</div>`,
      review.model ?? known.get(review.task_id)?.model ?? '',
      creditsOf(review.credits) || credits(known.get(review.task_id)),
      accountLink(review.account_id),
    ]),
    'Nothing to review.',
  )
}
${
  alone.length > 0 &&
  html`<h2>In review only at the gateway</h2>
<p>The dispatcher holds no attempt of these: open the task and replay it.</p>
${table(
  'In review only at the gateway',
  ['Task', 'Created', 'Model', { name: 'Credits', number: true }, 'Account'],
  alone.map(task => [taskLink(task.id), time(task.created_at), task.model, credits(task), accountLink(task.account_id)]),
)}`
}
<h2>End many together</h2>
${chooseForm(terms)}
${isWhole(terms) && preview && previewSection(operator, terms, preview, last)}
${bulkEnds(operator, bulks, last)}`,
  })
}

const creditsOf = (credits: number | null | undefined): string => (typeof credits === 'number' ? number(credits) : '')
const credits = (task: ReviewedTask | undefined): string => creditsOf(task?.credits_used)
