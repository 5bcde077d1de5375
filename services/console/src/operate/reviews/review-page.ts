import { type Html, html } from '@filmgate/kit/http/html'
import { mayActAs } from '@filmgate/kit/operator/act'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import { actForm } from '../acts/act-form'
import type { ActRow } from '../acts/act-repository'
import type { Operator } from '../door/operator-of'
import { reviewPath } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { accountLink, facts, taskLink } from '../layout/parts'
import { attemptsOf, decisionsOf } from '../tasks/attempts'
import type { Story } from '../tasks/story'

type Shown = { operator: Operator; story: Story; last: ActRow | undefined; notice: Notice | undefined }

/** The provider's answer, and beside it the two ways to end the review and the one to try again. */
export function reviewPage({ operator, story, last, notice }: Shown): string {
  const { taskId, gateway, ledger, dispatcher } = story
  const accountId = gateway?.task.accountId ?? ledger?.reservation?.account_id
  const held = dispatcher?.attempts.some(({ review_since }) => review_since !== null) ?? false
  return operatePage({
    operator,
    room: 'reviews',
    title: `Review of ${taskId}`,
    notice,
    content: html`${story.silent.map(words => html`<p class="notice wrong">${words} What it knows is missing below.</p>`)}
${facts([
  ['Task', taskLink(taskId)],
  ['Account', accountId !== undefined && accountLink(accountId)],
  ['Model', gateway && `${gateway.task.model}, ${gateway.task.mode}`],
  ['Credits held', ledger?.reservation && number(ledger.reservation.credits)],
  ['Asked for', gateway && time(gateway.task.createdAt)],
])}
<div class="beside">
<section><h2>What the provider answered</h2>
${attemptsOf(dispatcher, 'The dispatcher has no attempt of it.')}
${decisionsOf(dispatcher)}</section>
<section><h2>End the review</h2>
${held ? decisionForms(operator, taskId, last) : html`<p class="soft">No attempt of this task is held for review any more.</p>`}</section>
</div>`,
  })
}

function decisionForms(operator: Operator, taskId: string, last: ActRow | undefined): Html {
  if (!mayActAs(operator.role, 'support')) return html`<p class="soft">Ending a review needs the role support.</p>`
  const path = reviewPath(taskId)
  return html`${actForm(operator, {
    act: 'review_accepted',
    path: `${path}/accept`,
    title: 'The provider did accept it…',
    button: 'Accept',
    what: 'The dispatcher looks the id up at the provider and goes on from there. The client keeps waiting for its video, and pays for it.',
    meant: 'I saw it at the provider.',
    fields: acceptFields(last),
    last,
  })}
${actForm(operator, {
  act: 'review_refunded',
  path: `${path}/refund`,
  title: 'The provider never made it…',
  button: 'Refund',
  what: 'The task fails and its credits are returned. What the provider charges all the same is lost.',
  meant: 'I looked at the provider, and it is not there.',
  last,
})}
${actForm(operator, {
  act: 'review_retried',
  path: `${path}/retry`,
  title: 'Try again…',
  button: 'Try again',
  what: 'The look-up, the poll or the copy that it waits for is done again now. Say what has changed.',
  meant: 'I mean this task.',
  last,
})}`
}

function acceptFields(last: ActRow | undefined): Html {
  const again = last?.act === 'review_accepted' && last.outcome !== 'done' ? last.details : {}
  return html`<label for="provider-task-id">The provider’s own id of it</label>
<input id="provider-task-id" name="provider_task_id" maxlength="200" required autocomplete="off" value="${String(again.provider_task_id ?? '')}">
<label class="check"><input type="checkbox" name="force" value="yes"${again.force === true && html` checked`}> Also where it carries no id of ours beside it and should: I saw the prompt there</label>`
}
