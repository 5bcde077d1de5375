import { type Html, html } from '@filmgate/kit/http/html'
import type { Membership } from '../accounts/account-repository'
import type { MemberContext } from '../accounts/require-member'
import { isAtLeast } from '../accounts/roles'
import type { TaskTimelineView, TaskView } from '../gateway/gateway'
import { accountPath } from '../layout/menu'
import { change, time } from '../layout/numbers'
import { type Notice, page } from '../layout/page'
import { table } from '../layout/table'
import { fieldText, modeLabel } from '../models/field-text'
import { statusTag, taskPath } from './gallery/card'
import { type Input, inputList } from './inputs'
import { screen } from './screen'
import { tagsText } from './tags'
import { priceText, surfaceLabels, titleOf } from './task-text'
import { timelineOf } from './timeline'

export type TaskContent = { timeline: TaskTimelineView; inputs: Input[] }

type TaskPage = MemberContext & TaskContent & { notice?: Notice }

export const taskPage = ({ person, member, memberships, timeline, inputs, notice }: TaskPage): string =>
  page({
    title: titleOf(timeline.task),
    person,
    account: { member, memberships, section: 'tasks' },
    ...(notice && { notice }),
    scripts: ['tasks.browser.js'],
    content: html`<div id="task" data-live-task="${taskPath(member.accountId, timeline.task)}/live">${taskContent(member, { timeline, inputs })}</div>
<p class="hidden" role="status" id="announcement"></p>`,
  })

/** The part of a task's page that changes while it runs. */
export const taskContent = (
  { accountId, role }: Pick<Membership, 'accountId' | 'role'>,
  { timeline: { task, waiting, request, events, entries }, inputs }: TaskContent,
): Html => html`<div class="watch" data-status="${task.status}">
<div class="screen">${screen(task, waiting)}</div>
<div class="about">
<p class="facts">${statusTag(task)} <span>${priceText(task)}</span></p>
<p class="row">${task.output !== null && html`<a class="button" href="${taskPath(accountId, task)}/video">Download</a>`}<a class="button second" href="${similarPath(accountId, task)}">${task.status === 'failed' ? 'Try again' : 'Make another like it'}</a></p>
${task.status === 'processing' && isAtLeast(role, 'member') && cancelForm(taskPath(accountId, task))}
<h2>The request</h2>
${requestDetails(task, request ?? {})}
${inputs.length > 0 && html`<h2>Files</h2>${inputList(taskPath(accountId, task), inputs)}`}
${inputs.length === 0 && task.surface === 'api' && task.mode !== 'text-to-video' && html`<p class="soft">The files of requests to the API are not kept here.</p>`}
</div>
</div>
<h2>Timeline</h2>
${timelineOf(task, events)}
${entries.length > 0 && creditsTable(entries)}`

/** It works without scripts: the page comes back as the task is then. */
const cancelForm = (path: string): Html =>
  html`<form method="post" action="${path}/cancel" class="row"><button class="second">Cancel</button><span class="soft">Credits come back if no provider has started, or if the provider cancels.</span></form>`

/** Shown by themselves, or of no use without the files. */
const shownElsewhere = /^(resolution|duration)$|_urls?$|_durations$/

function requestDetails(task: TaskView, request: Record<string, unknown>): Html {
  const others = Object.entries(request).filter(([name, value]) => !shownElsewhere.test(name) && value !== null)
  const facts: [string, string | null][] = [
    ['Model', task.model],
    ['Mode', modeLabel(task.mode)],
    ['Length', task.duration_seconds === null ? null : `${task.duration_seconds} s`],
    ['Resolution', task.resolution],
    ...others.map(([name, value]): [string, string] => [
      fieldText(name).label,
      typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value),
    ]),
    ['Tags', tagsText(task.tags)],
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

const similarPath = (accountId: string, { id }: TaskView): string => `${accountPath(accountId, 'playground')}?task=${id}`
