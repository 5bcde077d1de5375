import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../../accounts/require-member'
import type { KeyView, Page, TaskView } from '../../gateway/gateway'
import { assetPath } from '../../layout/assets'
import { field, hidden, keySelect, modelSelect, searchField } from '../../layout/field'
import { accountPath } from '../../layout/menu'
import { page } from '../../layout/page'
import { tagCharactersMax } from '../tags'
import { statusLabels, surfaceLabels } from '../task-text'
import { taskCard } from './card'
import { type EnteredFilter, type Filter, searchCharactersMax } from './read-filter'

type View = MemberContext & EnteredFilter & { tasks: Page<TaskView>; pageSize: number } & Choices
type Choices = { models: string[]; keys: KeyView[] }

export const galleryPage = ({ person, member, memberships, tasks, pageSize, models, keys, ...entered }: View): string => {
  const { filter } = entered
  const path = accountPath(member.accountId, 'tasks')
  return page({
    title: 'Tasks',
    person,
    account: { member, memberships, section: 'tasks' },
    scripts: ['tasks.browser.js', ...(tasks.data.length > 0 ? ['zip.browser.js'] : [])],
    content: html`${searchForm(path, entered, { models, keys })}
<div class="row ends filters">
${filterBy(path, filter, 'status', 'Status', statusLabels)}
${filterBy(path, filter, 'surface', 'Requested by', surfaceLabels)}
</div>
${
  tasks.data.length === 0
    ? emptyGallery(member.accountId, filter, tasks.next_cursor !== null)
    : html`<ul class="gallery" data-tasks="${path}/live">${tasks.data.map(task => taskCard(member.accountId, task))}</ul>${zipBar()}`
}
<p class="hidden" role="status" id="announcement"></p>
<nav class="pages" aria-label="Pages">${filter.cursor !== undefined && html`<a href="${pathOf(path, { ...filter, cursor: undefined })}">Newest</a>`}${
      tasks.next_cursor !== null &&
      html`<a href="${pathOf(path, { ...filter, cursor: tasks.next_cursor })}">${tasks.data.length < pageSize ? 'Search older tasks' : 'Older'}</a>`
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
const searchForm = (
  path: string,
  { filter, issues }: EnteredFilter,
  { models, keys }: Choices,
): Html => html`<form class="search" method="get" action="${path}" role="search">
${filter.status !== undefined && hidden('status', filter.status)}${filter.surface !== undefined && hidden('surface', filter.surface)}
${searchField({ value: filter.text ?? '', hint: 'Words of the prompt, or the ID of a task.', maxLength: searchCharactersMax })}
<details class="rare"${isNarrowed(filter, issues) && html` open`}><summary>More filters</summary>
<div class="fields">
<div>${modelSelect(models, filter.model ?? '')}</div>
<div>${keySelect(keys, filter.key ?? '')}</div>
<div>${field({ name: 'tag', label: 'Tag', value: filter.tag ?? '', hint: 'Such as project=spring.', issue: issues.tag, maxLength: tagCharactersMax })}</div>
<div>${field({ name: 'from', label: 'From', type: 'date', value: filter.from ?? '', issue: issues.days })}</div>
<div>${field({ name: 'to', label: 'To', type: 'date', value: filter.to ?? '', hint: 'Days are in UTC.' })}</div>
</div></details></form>`

const isNarrowed = ({ model, key, tag, from, to }: Filter, issues: EnteredFilter['issues']): boolean =>
  [model, key, tag, from, to, issues.tag, issues.days].some(value => value !== undefined)

const zipBar = (): Html =>
  html`<div class="row bar" data-zip="${assetPath('client-zip.js')}" hidden><button type="button">Download as ZIP</button><button type="button" class="second">Clear</button><span role="status"></span></div>`

function emptyGallery(accountId: string, filter: Filter, hasOlder: boolean): Html {
  const tasks = accountPath(accountId, 'tasks')
  if (hasOlder) return html`<div class="empty"><p>No task matches so far. Older tasks are not searched yet.</p></div>`
  return Object.keys(filter).length > 0
    ? html`<div class="empty"><p>No task matches.</p><p><a href="${tasks}">Show all</a></p></div>`
    : html`<div class="empty"><p>No videos yet.</p><p><a class="button" href="${accountPath(accountId, 'playground')}">Create your first video</a></p></div>`
}
