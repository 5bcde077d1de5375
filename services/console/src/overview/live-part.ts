import { type Html, html } from '@filmgate/kit/http/html'
import type { Membership } from '../accounts/account-repository'
import type { TaskView } from '../gateway/gateway'
import { accountPath } from '../layout/menu'
import { credits, figureCard, number, time } from '../layout/numbers'
import { table } from '../layout/table'
import { progressBar, statusTag, taskPath } from '../tasks/gallery/card'
import { surfaceLabels, titleOf } from '../tasks/task-text'
import type { LiveOverview } from './read-overview'

/** Balances and latest tasks: the part of the page that is polled. */
export const livePart = (member: Membership, { account, tasks }: LiveOverview): Html => {
  const owed = account.owed_credits ?? 0
  return html`<div class="cards figures" data-running="${account.unfinished}">
${figureCard('Paid balance', account.available_credits, 'for the API and the console')}
${figureCard('Starter credits', account.starter_credits, 'spent first, only in the console')}
${owed > 0 && figureCard('Owed', owed, 'deducted from your next purchase')}
${figureCard('Running tasks', account.unfinished, `of at most ${number(account.unfinished_max)} at once`)}
</div>
<h2>Latest tasks</h2>
${tasks.length === 0 ? html`<div class="empty"><p>There are no tasks yet.</p></div>` : taskTable(member, tasks)}`
}

const taskTable = ({ accountId }: Membership, tasks: TaskView[]): Html => html`${table(
  'Latest tasks',
  [{ title: 'Task' }, { title: 'Model' }, { title: 'Status' }, { title: 'Requested' }, { title: 'Credits', number: true }],
  tasks.map(task => [
    html`<a class="prompt" href="${taskPath(accountId, task)}">${titleOf(task)}</a>`,
    html`<span class="nowrap">${task.model}</span><span class="sub">${surfaceLabels[task.surface]}</span>`,
    html`${statusTag(task)}${task.status === 'processing' && html`<span class="sub">${progressBar(task)}</span>`}`,
    time(task.created_at),
    html`<span title="${credits(task.credits_used - task.credits_refunded)}">${number(task.credits_used - task.credits_refunded)}</span>`,
  ]),
)}
<p><a href="${accountPath(accountId, 'tasks')}">All tasks</a></p>`
