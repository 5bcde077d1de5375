import { html } from '@filmgate/kit/http/html'
import { number, time } from '../../layout/numbers'
import type { Operator } from '../door/operator-of'
import { reviewPath } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { accountLink, table, tag, taskLink } from '../layout/parts'
import { type Told, wordsOf } from '../services/services'
import type { Listed, ReviewedTask, ReviewRow } from '../services/views'

type Shown = { operator: Operator; held: Told<Listed<ReviewRow>>; tasks: Told<Listed<ReviewedTask>> }

/** What waits for a person, oldest first: what the dispatcher holds, beside what its client was promised. */
export function reviewsPage({ operator, held, tasks }: Shown): string {
  const known = new Map(tasks.ok ? tasks.value.data.map(task => [task.id, task]) : [])
  const rows = held.ok ? held.value.data : []
  const alone = held.ok ? [...known.values()].filter(({ id }) => !rows.some(({ task_id }) => task_id === id)) : []
  return operatePage({
    operator,
    room: 'reviews',
    title: 'Reviews',
    content: html`<p>Whether the provider made these is not known, and only a person can find out: look there, then end the review either way. Oldest first.</p>
${[held, tasks].map(told => !told.ok && html`<p class="notice wrong" role="alert">${wordsOf(told)}</p>`)}
${
  held.ok &&
  table(
    'Reviews',
    ['Task', 'In review since', 'Provider', 'State', 'What the provider answered', 'Model', { name: 'Credits', number: true }, 'Account'],
    rows.map(review => [
      html`<a class="mono" href="${reviewPath(review.task_id)}">${review.task_id}</a>`,
      time(review.review_since),
      review.provider,
      tag(review.state),
      html`<div class="wide-cell">${review.cause ?? 'nothing'}</div>`,
      known.get(review.task_id)?.model ?? '',
      credits(known.get(review.task_id)),
      accountLink(review.account_id),
    ]),
    'Nothing waits for a person.',
  )
}
${
  alone.length > 0 &&
  html`<h2>In review at the gateway alone</h2>
<p>The dispatcher holds no attempt of these: open the task and have it told again.</p>
${table(
  'In review at the gateway alone',
  ['Task', 'Created', 'Model', { name: 'Credits', number: true }, 'Account'],
  alone.map(task => [taskLink(task.id), time(task.created_at), task.model, credits(task), accountLink(task.account_id)]),
)}`
}`,
  })
}

const credits = (task: ReviewedTask | undefined): string => (task ? number(task.credits_used) : '')
