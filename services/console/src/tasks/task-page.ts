import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import type { TaskTimelineView, TaskView } from '../gateway/gateway'
import { accountPath } from '../layout/menu'
import { change, time } from '../layout/numbers'
import { page } from '../layout/page'
import { table } from '../layout/table'
import { progressBar, statusTag, taskPath } from './card'
import { phaseText, priceText, surfaceLabels, titleOf } from './task-text'

export const taskPage = ({ person, member, memberships, timeline }: MemberContext & { timeline: TaskTimelineView }): string =>
  page({
    title: titleOf(timeline.task),
    person,
    account: { member, memberships, section: 'tasks' },
    scripts: ['tasks.browser.js'],
    content: html`<div id="task" data-live-task="${taskPath(member.accountId, timeline.task)}/live">${taskContent(member.accountId, timeline)}</div>
<p class="hidden" role="status" id="announcement"></p>`,
  })

/** The part of a task's page that changes while it runs. */
export const taskContent = (
  accountId: string,
  { task, events, entries }: TaskTimelineView,
): Html => html`<div class="watch" data-status="${task.status}">
<div class="screen">${screen(task)}</div>
<div class="about">
<p class="facts">${statusTag(task)} <span>${priceText(task)}</span></p>
<p class="row">${task.output !== null && html`<a class="button" href="${task.output.video_url}" download="${task.id}.mp4">Download</a>`}<a class="button second" href="${similarRequestUrl(accountId, task)}">Create a similar video</a></p>
<h2>The request</h2>
${requestDetails(task)}
</div>
</div>
<h2>Timeline</h2>
<ol class="story">${events.map(event => html`<li><span>${event.summary}</span> ${time(event.at)}</li>`)}</ol>
${entries.length > 0 && creditsTable(entries)}`

function screen(task: TaskView): Html {
  if (task.output !== null)
    return html`<video controls preload="metadata" playsinline src="${task.output.video_url}"${task.poster_url !== null && html` poster="${task.poster_url}"`} aria-label="${titleOf(task)}"></video>`
  if (task.status === 'failed')
    return html`<div class="notice wrong"><p>${task.error?.message ?? 'There is no video.'}</p>${refundText(task)}</div>`
  return html`<div class="making-of"><p>${phaseText(task)}…</p>${progressBar(task)}<p class="soft">This page updates automatically. You can leave it. The video is created anyway.</p></div>`
}

const refundText = ({ billing_status: billing }: TaskView): Html | false =>
  billing === 'refunded'
    ? html`<p>Nothing was charged. The credits were refunded.</p>`
    : billing === 'refund_pending' && html`<p>The credits are being refunded.</p>`

function requestDetails(task: TaskView): Html {
  const facts: [string, string | null][] = [
    ['Model', task.model],
    ['Mode', task.mode],
    ['Length', task.duration_seconds === null ? null : `${task.duration_seconds} s`],
    ['Resolution', task.resolution],
    ['Requested by', surfaceLabels[task.surface]],
    ['Task', task.id],
  ]
  return html`<p class="prompt">${task.prompt ?? 'The prompt of this task is no longer stored.'}</p>
<dl class="details">${facts.map(([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}<div><dt>Requested</dt><dd>${time(task.created_at)}</dd></div></dl>`
}

const balances = { paid: 'Paid', starter: 'Starter' }

const creditsTable = (entries: TaskTimelineView['entries']): Html => html`<h2>Credits</h2>
${table(
  'Credits',
  [{ title: 'Kind' }, { title: 'Time' }, { title: 'Balance' }, { title: 'Credits', number: true }],
  entries.map(({ at, kind, credits, balance }) => [
    kind.replaceAll('_', ' ').replace(/^./, first => first.toUpperCase()),
    time(at),
    balances[balance],
    change(credits),
  ]),
)}`

/** Longer prompts don't fit into a URL. */
const promptBytesMax = 4_000

function similarRequestUrl(accountId: string, { model, mode, prompt, resolution, duration_seconds: duration }: TaskView): string {
  const query = new URLSearchParams({ model, mode })
  if (prompt !== null && encodeURIComponent(prompt).length <= promptBytesMax) query.set('prompt', prompt)
  if (resolution !== null) query.set('resolution', resolution)
  if (duration !== null) query.set('duration', String(duration))
  return `${accountPath(accountId, 'playground')}?${query.toString()}`
}
