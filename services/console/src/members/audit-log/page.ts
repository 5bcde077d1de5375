import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../../accounts/require-member'
import { describeAuditEntry } from '../../audit-log/describe-entry'
import type { AuditEntry } from '../../audit-log/list-repository'
import { field } from '../../layout/field'
import { accountPath } from '../../layout/menu'
import { time } from '../../layout/numbers'
import { page } from '../../layout/page'
import { pages, pathWith, table } from '../../layout/table'
import { groups, type LogFilter } from './read-filter'

type View = MemberContext & LogFilter & { entries: AuditEntry[]; cursor: string; next: string | null }

export function auditLogPage({ person, member, memberships, fields, issue, entries, cursor, next }: View): string {
  const members = accountPath(member.accountId, 'members')
  const path = `${members}/log`
  return page({
    title: 'Audit log',
    person,
    account: { member, memberships, section: 'members' },
    ...(issue !== undefined && { notice: { kind: 'wrong', text: issue } }),
    content: html`<p><a href="${members}">Members</a></p>
${filterForm(path, fields)}
<p><a class="button second" href="${pathWith(`${path}.csv`, fields)}" download>Download CSV</a></p>
${entries.length === 0 ? none(path, next) : entryTable(entries)}
${pages(path, { cursor, next, query: fields })}`,
  })
}

const filterForm = (
  path: string,
  { person, group, from, to }: LogFilter['fields'],
): Html => html`<form class="panel" method="get" action="${path}">
<div class="fields">
<div>${field({ name: 'person', label: 'Person', value: person, hint: 'An e-mail address.', maxLength: 254 })}</div>
<div><label for="group">Action on</label>
<select id="group" name="group"><option value="">Everything</option>
${Object.entries(groups).map(([name, { label }]) => html`<option value="${name}"${name === group && html` selected`}>${label}</option>`)}
</select></div>
<div>${field({ name: 'from', label: 'From', type: 'date', value: from })}</div>
<div>${field({ name: 'to', label: 'To', type: 'date', value: to, hint: 'Days are in UTC.' })}</div>
</div>
<p class="row"><button class="second">Show</button></p>
</form>`

const none = (path: string, next: string | null): Html =>
  next === null
    ? html`<div class="empty"><p>No entry matches.</p><p><a href="${path}">Show all</a></p></div>`
    : html`<div class="empty"><p>No entry matches so far. Older ones are not searched yet.</p></div>`

const entryTable = (entries: AuditEntry[]): Html =>
  table(
    'Audit log, newest first',
    [{ title: 'Action' }, { title: 'Person' }, { title: 'Time' }, { title: 'IP address' }],
    entries.map(entry => [
      describeAuditEntry(entry),
      entry.email,
      time(entry.at),
      html`<span class="mono nowrap">${entry.address ?? '–'}</span>`,
    ]),
  )
