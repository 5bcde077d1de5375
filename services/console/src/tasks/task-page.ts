import { type Html, html } from '@filmgate/kit/http/html'
import type { Inside } from '../accounts/member-of'
import type { StoryView, TaskView } from '../gateway/gateway'
import { accountPath } from '../layout/menu'
import { change, time } from '../layout/numbers'
import { page } from '../layout/page'
import { table } from '../layout/table'
import { progressBar, statusTag, taskPath } from './card'
import { phaseWords, priceWords, surfaceWords, titleOf } from './task-words'

export const taskPage = ({ person, member, memberships, story }: Inside & { story: StoryView }): string =>
  page({
    title: titleOf(story.task),
    person,
    account: { member, memberships, section: 'tasks' },
    scripts: ['tasks.browser.js'],
    content: html`<div id="task" data-live-task="${taskPath(member.accountId, story.task)}/live">${taskContent(member.accountId, story)}</div>
<p class="hidden" role="status" id="told"></p>`,
  })

/** All of a task's page that changes while it runs. */
export const taskContent = (
  accountId: string,
  { task, events, entries }: StoryView,
): Html => html`<div class="watch" data-status="${task.status}">
<div class="screen">${screen(task)}</div>
<div class="about">
<p class="facts">${statusTag(task)} <span>${priceWords(task)}</span></p>
<p class="row">${task.output !== null && html`<a class="button" href="${task.output.video_url}" download="${task.id}.mp4">Download</a>`}<a class="button second" href="${likeIt(accountId, task)}">Make another like it</a></p>
<h2>The request</h2>
${request(task)}
</div>
</div>
<h2>What happened</h2>
<ol class="story">${events.map(event => html`<li><span>${event.summary}</span> ${time(event.at)}</li>`)}</ol>
${entries.length > 0 && credited(entries)}`

function screen(task: TaskView): Html {
  if (task.output !== null)
    return html`<video controls preload="metadata" playsinline src="${task.output.video_url}"${task.poster_url !== null && html` poster="${task.poster_url}"`} aria-label="${titleOf(task)}"></video>`
  if (task.status === 'failed')
    return html`<div class="notice wrong"><p>${task.error?.message ?? 'There is no video.'}</p>${refundWords(task)}</div>`
  return html`<div class="making-of"><p>${phaseWords(task)}…</p>${progressBar(task)}<p class="soft">This page shows it as soon as it is there. You may leave; it is made all the same.</p></div>`
}

const refundWords = ({ billing_status: billing }: TaskView): Html | false =>
  billing === 'refunded'
    ? html`<p>Nothing was charged: the credits are back where they came from.</p>`
    : billing === 'refund_pending' && html`<p>The credits are on their way back.</p>`

function request(task: TaskView): Html {
  const facts: [string, string | null][] = [
    ['Model', task.model],
    ['Mode', task.mode],
    ['Length', task.duration_seconds === null ? null : `${task.duration_seconds} s`],
    ['Resolution', task.resolution],
    ['Asked for by', surfaceWords[task.surface]],
    ['Task', task.id],
  ]
  return html`<p class="prompt">${task.prompt ?? 'The prompt of this task is no longer kept.'}</p>
<dl class="details">${facts.map(([name, value]) => value !== null && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}<div><dt>Asked</dt><dd>${time(task.created_at)}</dd></div></dl>`
}

const balances = { paid: 'Paid', starter: 'Starter' }

const credited = (entries: StoryView['entries']): Html => html`<h2>Credits</h2>
${table(
  'Credits',
  [{ title: 'What' }, { title: 'When' }, { title: 'Balance' }, { title: 'Credits', number: true }],
  entries.map(({ at, kind, credits, balance }) => [
    kind.replaceAll('_', ' ').replace(/^./, first => first.toUpperCase()),
    time(at),
    balances[balance],
    change(credits),
  ]),
)}`

/** Longer prompts do not travel in an address. */
const promptBytesMax = 4_000

function likeIt(accountId: string, { model, mode, prompt, resolution, duration_seconds: duration }: TaskView): string {
  const query = new URLSearchParams({ model, mode })
  if (prompt !== null && encodeURIComponent(prompt).length <= promptBytesMax) query.set('prompt', prompt)
  if (resolution !== null) query.set('resolution', resolution)
  if (duration !== null) query.set('duration', String(duration))
  return `${accountPath(accountId, 'playground')}?${query.toString()}`
}
