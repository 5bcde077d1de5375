import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import type { Page, TaskView } from '../gateway/gateway'
import { field, hidden } from '../layout/field'
import { accountPath } from '../layout/menu'
import { page } from '../layout/page'
import { taskCard } from './card'
import { readTag, tagCharactersMax } from './tags'
import { statusLabels, surfaceLabels } from './task-text'

export type Filter = { status?: string; surface?: string; tag?: string; cursor?: string }
/** `issue`: what is wrong with the tag that was entered. */
export type EnteredFilter = { filter: Filter; issue?: string }

const cursorCharactersMax = 500

/** Unknown filters are ignored. */
export function readFilter(query: URLSearchParams): EnteredFilter {
  const [status, surface, cursor] = ['status', 'surface', 'cursor'].map(name => query.get(name) ?? '')
  const { tag, issue } = readTag(query.get('tag') ?? '')
  const filter = {
    ...(status && Object.hasOwn(statusLabels, status) && { status }),
    ...(surface && Object.hasOwn(surfaceLabels, surface) && { surface }),
    ...(tag !== undefined && { tag }),
    ...(cursor && cursor.length <= cursorCharactersMax && { cursor }),
  }
  return { filter, ...(issue !== undefined && { issue }) }
}

export const galleryPage = ({
  person,
  member,
  memberships,
  tasks,
  filter,
  issue,
}: MemberContext & EnteredFilter & { tasks: Page<TaskView> }): string => {
  const path = accountPath(member.accountId, 'tasks')
  return page({
    title: 'Tasks',
    person,
    account: { member, memberships, section: 'tasks' },
    scripts: ['tasks.browser.js'],
    content: html`<div class="row ends filters">
${filterBy(path, filter, 'status', 'Status', statusLabels)}
${filterBy(path, filter, 'surface', 'Requested by', surfaceLabels)}
${tagForm(path, filter, issue)}
</div>
${
  tasks.data.length === 0
    ? emptyGallery(member.accountId, filter)
    : html`<ul class="gallery" data-tasks="${path}/live">${tasks.data.map(task => taskCard(member.accountId, task))}</ul>`
}
<p class="hidden" role="status" id="announcement"></p>
<nav class="pages" aria-label="Pages">${filter.cursor !== undefined && html`<a href="${pathOf(path, { ...filter, cursor: undefined })}">Newest</a>`}${
      tasks.next_cursor !== null && html`<a href="${pathOf(path, { ...filter, cursor: tasks.next_cursor })}">Older</a>`
    }</nav>`,
  })
}

function pathOf(path: string, filter: Filter): string {
  const query = new URLSearchParams(Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== undefined))
  return query.size > 0 ? `${path}?${query.toString()}` : path
}

function filterBy(path: string, filter: Filter, name: 'status' | 'surface', label: string, labels: Record<string, string>): Html {
  const link = (value: string | undefined, text: string) =>
    html`<li><a href="${pathOf(path, { ...filter, cursor: undefined, [name]: value })}"${filter[name] === value && html` aria-current="true"`}>${text}</a></li>`
  return html`<nav class="filter" aria-label="${label}"><ul>${link(undefined, 'All')}${Object.entries(labels).map(([value, text]) => link(value, text))}</ul></nav>`
}

/** Keeps the other filters. */
const tagForm = (
  path: string,
  { status, surface, tag = '' }: Filter,
  issue: string | undefined,
): Html => html`<form class="row" method="get" action="${path}">
${status !== undefined && hidden('status', status)}${surface !== undefined && hidden('surface', surface)}
<div>${field({ name: 'tag', label: 'Tag', value: tag, hint: 'Such as project=spring.', issue, maxLength: tagCharactersMax })}</div>
<button class="second">Show</button></form>`

const emptyGallery = (accountId: string, filter: Filter): Html =>
  Object.keys(filter).length > 0
    ? html`<div class="empty"><p>No task matches.</p><p><a href="${accountPath(accountId, 'tasks')}">Show all</a></p></div>`
    : html`<div class="empty"><p>No videos yet.</p><p><a class="button" href="${accountPath(accountId, 'playground')}">Create your first video</a></p></div>`
