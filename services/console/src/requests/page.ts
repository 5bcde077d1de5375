import { type Html, html } from '@filmgate/kit/http/html'
import type { RequestRow } from '@filmgate/proto/operator/account'
import type { MemberContext } from '../accounts/require-member'
import type { KeyView, Page, RequestCountView } from '../gateway/gateway'
import { type DayValue, dayChart } from '../layout/chart'
import { field, keySelect } from '../layout/field'
import { accountPath } from '../layout/menu'
import { figureCard, number } from '../layout/numbers'
import { page } from '../layout/page'
import { pages, table } from '../layout/table'
import { valuesByDay } from '../usage/sum-days'
import { type Filter, keptDays, results } from './read-filter'
import { requestTable } from './request-table'

type View = MemberContext & { filter: Filter; keys: KeyView[]; counts: RequestCountView[]; requests: Page<RequestRow>; cursor: string }

export function requestsPage({ person, member, memberships, filter, keys, counts, requests, cursor }: View): string {
  const path = accountPath(member.accountId, 'requests')
  const tasks = accountPath(member.accountId, 'tasks')
  return page({
    title: 'Requests',
    person,
    account: { member, memberships, section: 'requests' },
    ...(filter.issue !== undefined && { notice: { kind: 'wrong', text: filter.issue } }),
    content: html`<p>What your programs asked the API with your keys, in the last ${keptDays} days. Reads that were answered are counted and not listed. Requests without a valid key are not here.</p>
${filterForm(path, filter, keys)}
${figures(counts)}
<h2>Requests by day</h2>
${dayChart('Requests', requestsByDay(counts, filter), { of: requestsText, title: 'Requests' })}
${counts.length > 0 && html`<details class="rare"><summary>By method and path</summary>${routeTable(counts)}</details>`}
<h2>Changes and refusals</h2>
${list(path, { filter, keys, requests, tasks })}
${pages(path, { cursor, next: requests.next_cursor, query: { ...filter.fields } })}`,
  })
}

const filterForm = (path: string, { fields }: Filter, keys: KeyView[]): Html => html`<form class="panel" method="get" action="${path}">
<div class="fields">
<div><label for="result">Result</label>
<select id="result" name="result"><option value="">All</option>
${Object.entries(results).map(([value, text]) => html`<option value="${value}"${value === fields.result && html` selected`}>${text}</option>`)}
</select></div>
<div>${field({ name: 'request', label: 'Request ID', value: fields.request, hint: 'The header X-Request-Id of an answer.', maxLength: 64 })}</div>
</div>
<details class="rare"${isNarrowed(fields) && html` open`}><summary>More filters</summary>
<div class="fields">
<div>${keySelect(keys, fields.key, 'All keys')}</div>
<div>${field({ name: 'code', label: 'Error code', value: fields.code, hint: 'Such as insufficient_credits.', maxLength: 64 })}</div>
<div>${field({ name: 'from', label: 'From', type: 'date', value: fields.from })}</div>
<div>${field({ name: 'to', label: 'To', type: 'date', value: fields.to, hint: 'Days are in UTC.' })}</div>
</div></details>
<p class="row"><button class="second">Show</button></p>
</form>`

const isNarrowed = ({ key, code, from, to }: Filter['fields']): boolean => [key, code, from, to].some(value => value !== '')

type Counted = Pick<RequestCountView, 'status' | 'requests'>

const isLimited = ({ status }: Counted): boolean => status === 429
/** 499: the client left before it was answered. */
const isRefused = (count: Counted): boolean => count.status >= 400 && count.status < 499 && !isLimited(count)
const isFailed = ({ status }: Counted): boolean => status >= 500
const sumOf = (counts: Counted[], belongs: (count: Counted) => boolean = () => true): number =>
  counts.filter(belongs).reduce((sum, { requests }) => sum + requests, 0)

const figures = (counts: RequestCountView[]): Html => html`<div class="cards figures">
${figureCard('Requests', sumOf(counts), 'reads included')}
${figureCard('Refused', sumOf(counts, isRefused), 'for what they asked')}
${figureCard('Rate limited', sumOf(counts, isLimited), 'sent too soon; of each burst some are listed')}
${figureCard('Failed', sumOf(counts, isFailed), 'at Filmgate; a retry can help')}
</div>`

const requestsText = (value: number): string => `${number(value)} ${value === 1 ? 'request' : 'requests'}`

function requestsByDay(counts: RequestCountView[], { range }: Filter): DayValue[] {
  const byDay = Map.groupBy(counts, ({ day }) => day)
  return valuesByDay(range, day => sumOf(byDay.get(day) ?? []))
}

const routeTable = (counts: RequestCountView[]): Html =>
  table(
    'Requests by method and path',
    [{ title: 'Request' }, ...['Requests', 'Refused', 'Rate limited', 'Failed'].map(title => ({ title, number: true }))],
    [...Map.groupBy(counts, ({ method, route }) => `${method} ${route === '/*' ? 'unknown paths' : route}`)]
      .toSorted(([, a], [, b]) => sumOf(b) - sumOf(a))
      .map(([name, rows]) => [
        html`<code>${name}</code>`,
        ...[sumOf(rows), sumOf(rows, isRefused), sumOf(rows, isLimited), sumOf(rows, isFailed)].map(number),
      ]),
  )

type ListView = Pick<View, 'filter' | 'keys' | 'requests'> & { tasks: string }

function list(path: string, { filter, keys, requests, tasks }: ListView): Html {
  const names = new Map(keys.map(({ key_id, name }) => [key_id, name]))
  if (requests.data.length > 0)
    return requestTable(requests.data, {
      taskPath: id => `${tasks}/${encodeURIComponent(id)}`,
      ownerTitle: 'API key',
      owner: ({ key_id }) => names.get(key_id) ?? key_id,
    })
  if (requests.next_cursor !== null)
    return html`<div class="empty"><p>No request matches so far. Older ones are not searched yet.</p></div>`
  const isFiltered = Object.values(filter.fields).some(value => value !== '')
  return html`<div class="empty">${
    isFiltered
      ? html`<p>No request matches.</p><p><a href="${path}">Show all</a></p>`
      : html`<p>Your programs have not changed anything yet.</p><p><a href="/docs">How to call the API</a></p>`
  }</div>`
}
