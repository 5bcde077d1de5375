import { csvLine, csvRows } from '@filmgate/kit/csv/write-csv'
import { type Html, html } from '@filmgate/kit/http/html'
import type { Actor, Gateway, KeyView, UsageRecordView } from '../gateway/gateway'
import { hidden } from '../layout/field'
import { accountPath } from '../layout/menu'
import { number } from '../layout/numbers'
import { pathWith, table } from '../layout/table'
import { type Filter, queryOf } from './read-filter'
import { type Sum, totalOf } from './total'

/** What a period's spending is split by: models, API keys, or the values of one tag. */
export type Split = 'model' | 'key' | `tag:${string}`

/** Its model, key or tag is null for what has none. Several rows may be of one group. */
export type SplitSum = Sum & { model?: string | null; key_id?: string | null; tag?: string | null }

const splitForm = /^(key|tag:[a-z][a-z0-9_-]{0,31})$/
const isSplit = (text: string): text is Split => splitForm.test(text)

/** By models where the query says nothing that can be split by. */
export const readSplit = (text = ''): Split => (isSplit(text) ? text : 'model')

export async function readSplitSums(
  gateway: Gateway,
  actor: Actor,
  { accountId, filter, split }: { accountId: string; filter: Filter; split: Split },
): Promise<SplitSum[]> {
  const query = queryOf(filter)
  query.set('by', split)
  return (await gateway.get<{ data: SplitSum[] }>(actor, `/accounts/${accountId}/usage/summary?${query}`)).data
}

type SplitInput = { filter: Filter; split: Split; sums: SplitSum[]; keys: KeyView[] }
type View = SplitInput & { accountId: string; records: UsageRecordView[] }

/** The form that chooses the split, and its table: most spent first, each row leading to its own usage. */
export function splitPart(view: View): Html {
  const { accountId, filter, split } = view
  const path = accountPath(accountId, 'usage')
  const by = nameOf(split)
  const groups = groupsOf(view)
  const spentMax = Math.max(1, groups[0]?.spent ?? 0)
  const rows = groups.map(({ name, filtered, spent, held, refunded, generations, seconds }) => [
    filtered === undefined ? name : html`<a href="${pathWith(path, { ...filter.fields, by: split, ...filtered })}">${name}</a>`,
    html`${number(spent)}<span class="sub"><progress max="${spentMax}" value="${Math.max(0, spent)}" aria-hidden="true"></progress></span>`,
    number(held),
    number(refunded),
    number(generations),
    number(seconds),
  ])
  return html`<div class="row ends"><h2 class="flush">Credits by ${by}</h2>${splitSelect(path, view)}</div>
${
  rows.length === 0
    ? html`<div class="empty"><p>No usage in this period.</p></div>`
    : html`${table(
        `Credits by ${by}`,
        [{ title: capitalized(by) }, ...['Spent', 'Held', 'Refunded', 'Generations', 'Seconds'].map(title => ({ title, number: true }))],
        rows,
      )}
<p><a href="${pathWith(`${path}/split.csv`, { ...filter.fields, by: split })}" download>Download this table as CSV</a></p>`
}`
}

const csvColumns = ['group', 'spent', 'held', 'refunded', 'generations', 'seconds'] as const

/** The same table, its first column named as what the period is split by. */
export async function* splitCsv(input: SplitInput): AsyncGenerator<string, void> {
  yield csvLine([nameOf(input.split), ...csvColumns.slice(1)])
  const groups = groupsOf(input)
  yield csvRows(
    csvColumns,
    groups.map(({ name: group, spent, held, refunded, generations, seconds }) => ({ group, spent, held, refunded, generations, seconds })),
  )
}

const groupsOf = (input: SplitInput) =>
  [...Map.groupBy(input.sums, ({ model, key_id, tag }) => model ?? key_id ?? tag ?? null)]
    .map(([value, rows]) => ({ ...groupOf(input, value), ...totalOf(rows) }))
    .map(group => ({ ...group, spent: group.net - group.held }))
    .toSorted((a, b) => b.spent - a.spent)

/** The names of tags that the newest records have can be chosen, and the one that is. */
function splitSelect(path: string, { filter, split, records }: View): Html {
  const tags = records.flatMap(({ tags }) => Object.keys(tags ?? {})).map(name => `tag:${name}` as const)
  const choices = [...new Set<Split>(['model', 'key', ...tags.sort(), split])]
  return html`<form method="get" action="${path}" class="row">
${Object.entries(filter.fields).map(([name, value]) => value !== '' && hidden(name, value))}
<label for="by" class="hidden">Split by</label>
<select id="by" name="by">${choices.map(choice => html`<option value="${choice}"${choice === split && html` selected`}>By ${nameOf(choice)}</option>`)}</select>
<button class="second">Show</button></form>`
}

const nameOf = (split: Split): string => (split === 'model' ? 'model' : split === 'key' ? 'API key' : `tag ${split.slice('tag:'.length)}`)
const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

/** How a group is named, and the filter that shows it alone; none for what has no key or no such tag. */
function groupOf({ split, keys }: SplitInput, value: string | null): { name: string; filtered?: Record<string, string> } {
  if (split === 'model') return value ? { name: value, filtered: { model: value } } : { name: 'no model' }
  if (split === 'key')
    return value ? { name: keys.find(({ key_id }) => key_id === value)?.name ?? value, filtered: { key: value } } : { name: 'the console' }
  return value ? { name: value.slice(value.indexOf('=') + 1), filtered: { tag: value } } : { name: `no ${nameOf(split)}` }
}
