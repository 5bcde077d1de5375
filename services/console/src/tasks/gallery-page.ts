import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import type { Page, TaskView } from '../gateway/gateway'
import { accountPath } from '../layout/menu'
import { page } from '../layout/page'
import { taskCard } from './card'
import { statusLabels, surfaceLabels } from './task-text'

export type Filter = { status?: string; surface?: string; cursor?: string }

const cursorCharactersMax = 500

/** Unknown filters are ignored. */
export function readFilter(query: URLSearchParams): Filter {
  const [status, surface, cursor] = ['status', 'surface', 'cursor'].map(name => query.get(name) ?? '')
  return {
    ...(status && Object.hasOwn(statusLabels, status) && { status }),
    ...(surface && Object.hasOwn(surfaceLabels, surface) && { surface }),
    ...(cursor && cursor.length <= cursorCharactersMax && { cursor }),
  }
}

export const galleryPage = ({
  person,
  member,
  memberships,
  tasks,
  filter,
}: MemberContext & { tasks: Page<TaskView>; filter: Filter }): string => {
  const path = accountPath(member.accountId, 'tasks')
  return page({
    title: 'Tasks',
    person,
    account: { member, memberships, section: 'tasks' },
    scripts: ['tasks.browser.js'],
    content: html`<div class="row ends filters">
${filterBy(path, filter, 'status', 'Status', statusLabels)}
${filterBy(path, filter, 'surface', 'Requested by', surfaceLabels)}
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

const emptyGallery = (accountId: string, { status, surface, cursor }: Filter): Html =>
  status !== undefined || surface !== undefined || cursor !== undefined
    ? html`<div class="empty"><p>No task matches.</p><p><a href="${accountPath(accountId, 'tasks')}">Show all</a></p></div>`
    : html`<div class="empty"><p>No videos yet.</p><p><a class="button" href="${accountPath(accountId, 'playground')}">Create your first video</a></p></div>`
