import { type Html, html } from '@filmgate/kit/http/html'
import { hasRole } from '@filmgate/kit/operator/needs-role'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'
import { reviewPath } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { accountLink, facts, taskLink } from '../layout/parts'
import { attemptsOf, decisionsOf } from '../tasks/attempts'
import type { TaskHistory } from '../tasks/task-history'

type View = { operator: Operator; history: TaskHistory; last: ActionRow | undefined; notice: Notice | undefined }

/** The provider's answer, with the forms to end the review or to retry. */
export function reviewPage({ operator, history, last, notice }: View): string {
  const { taskId, gateway, ledger, dispatcher } = history
  const accountId = gateway?.task.accountId ?? ledger?.reservation?.account_id
  const attempts = dispatcher?.attempts.some(({ review_since }) => review_since !== null) ?? false
  return operatePage({
    operator,
    section: 'reviews',
    title: `Review of ${taskId}`,
    notice,
    content: html`${history.unavailable.map(message => html`<p class="notice wrong">${message} Its data is missing below.</p>`)}
${facts([
  ['Task', taskLink(taskId)],
  ['Account', accountId !== undefined && accountLink(accountId)],
  ['Model', gateway && `${gateway.task.model}, ${gateway.task.mode}`],
  ['Reserved credits', ledger?.reservation && number(ledger.reservation.credits)],
  ['Requested', gateway && time(gateway.task.createdAt)],
])}
<div class="beside">
<section><h2>The provider’s answers</h2>
${attemptsOf(dispatcher, 'The dispatcher has no attempt of this task.')}
${decisionsOf(dispatcher)}</section>
<section><h2>End the review</h2>
${attempts ? decisionForms(operator, taskId, last) : html`<p class="soft">No attempt of this task is in review.</p>`}</section>
</div>`,
  })
}

function decisionForms(operator: Operator, taskId: string, last: ActionRow | undefined): Html {
  if (!hasRole(operator.role, 'support')) return html`<p class="soft">Ending a review needs the role support.</p>`
  const path = reviewPath(taskId)
  return html`${actionForm(operator, {
    action: 'review_accepted',
    path: `${path}/accept`,
    title: 'The provider accepted it…',
    button: 'Accept',
    description: 'The dispatcher looks up the id at the provider and continues. The client gets the video and is charged.',
    confirmation: 'I found it at the provider.',
    fields: acceptFields(last),
    last,
  })}
${actionForm(operator, {
  action: 'review_refunded',
  path: `${path}/refund`,
  title: 'The provider never accepted it…',
  button: 'Refund',
  description: 'The task fails and its credits are refunded. If the provider charges for it, that is our loss.',
  confirmation: 'I checked at the provider, and it is not there.',
  last,
})}
${actionForm(operator, {
  action: 'review_retried',
  path: `${path}/retry`,
  title: 'Try again…',
  button: 'Try again',
  description: 'Retries the look-up, the poll or the copy now. State in the reason what has changed.',
  confirmation: 'I confirm this task.',
  last,
})}`
}

function acceptFields(last: ActionRow | undefined): Html {
  const previousAttempt = last?.action === 'review_accepted' && last.outcome !== 'done' ? last.details : {}
  return html`<label for="provider-task-id">Task id at the provider</label>
<input id="provider-task-id" name="provider_task_id" maxlength="200" required autocomplete="off" value="${String(previousAttempt.provider_task_id ?? '')}">
<label class="check"><input type="checkbox" name="force" value="yes"${previousAttempt.force === true && html` checked`}> Accept it even if the provider shows no id of ours: I saw the prompt there</label>`
}
