import { type Html, html } from '@filmgate/kit/http/html'
import type { MemberContext } from '../accounts/require-member'
import type { KeyView, Page, UsageRecordView, UsageSumView } from '../gateway/gateway'
import { dayChart } from '../layout/chart'
import { field, hidden, keySelect, modelSelect } from '../layout/field'
import { accountPath } from '../layout/menu'
import { change, figureCard, number, time } from '../layout/numbers'
import { page } from '../layout/page'
import { pages, pathWith, table } from '../layout/table'
import { tagCharactersMax, tagsText } from '../tasks/tags'
import type { Filter } from './read-filter'
import { type Split, type SplitSum, splitPart } from './split'
import { creditsByDay } from './sum-days'
import { type Total, totalOf } from './total'

/** `all`: the sums of all models by day; `splitSums`: those of the key or tag that is split by, undefined for models. */
type View = MemberContext & {
  filter: Filter
  split: Split
  keys: KeyView[]
  all: UsageSumView[]
  splitSums: SplitSum[] | undefined
  records: Page<UsageRecordView>
  cursor: string
}

export function usagePage({ person, member, memberships, filter, split, keys, all, splitSums, records, cursor }: View): string {
  const path = accountPath(member.accountId, 'usage')
  const { fields, range, issue } = filter
  const tasks = accountPath(member.accountId, 'tasks')
  const sums = fields.model === '' ? all : all.filter(({ model }) => model === fields.model)
  return page({
    title: 'Usage',
    person,
    account: { member, memberships, section: 'usage' },
    ...(issue !== undefined && { notice: { kind: 'wrong', text: issue } }),
    content: html`${filterForm(path, { filter, split }, { models: [...new Set(all.map(({ model }) => model))].sort(), keys })}
${figures(totalOf(sums))}
<h2>Credits by day</h2>
${dayChart('Credits spent', creditsByDay(sums, range))}
${splitPart({ accountId: member.accountId, filter, split, sums: splitSums ?? sums, keys, records: records.data })}
<div class="row ends"><h2 class="flush">All records</h2><a class="button second" href="${pathWith(`${path}.csv`, { ...fields })}" download>Download CSV</a></div>
${records.data.length === 0 ? html`<div class="empty"><p>No usage in this period.</p></div>` : recordTable(records.data, { tasks, keys })}
${pages(path, { cursor, next: records.next_cursor, query: { ...fields, by: split } })}`,
  })
}

type Choices = { models: string[]; keys: KeyView[] }

const filterForm = (
  path: string,
  { filter: { fields }, split }: Pick<View, 'filter' | 'split'>,
  { models, keys }: Choices,
): Html => html`<form class="panel" method="get" action="${path}">
${hidden('by', split)}
<div class="fields">
<div>${field({ name: 'from', label: 'From', type: 'date', value: fields.from })}</div>
<div>${field({ name: 'to', label: 'To', type: 'date', value: fields.to })}</div>
<div>${modelSelect(models, fields.model)}</div>
<div>${keySelect(keys, fields.key)}</div>
<div>${field({ name: 'tag', label: 'Tag', value: fields.tag, hint: 'Such as project=spring.', maxLength: tagCharactersMax })}</div>
</div>
<p class="row"><button class="second">Show</button> <span class="soft">Days are in UTC.</span></p>
</form>`

const figures = ({ generations, seconds, refunded, net, held, starterNet }: Total): Html => html`<div class="cards figures">
${figureCard('Credits spent', net - held, 'for videos that you have')}
${figureCard('Held', held, 'for videos that are being made')}
${figureCard('Refunded', refunded, 'for videos that failed or came short')}
${starterNet !== undefined && figureCard('Of the paid balance', net - starterNet, `spent or held; ${number(starterNet)} of starter credits`)}
${figureCard('Generations', generations, `${number(seconds)} s of video`)}
</div>`

const kinds: Record<UsageRecordView['kind'], string> = {
  reservation: 'Generation',
  refund: 'Refund',
  grant: 'Credits added',
  debit: 'Credits taken back',
}
const sub = (text: string | null | undefined): Html | false => (text ? html`<span class="sub">${text}</span>` : false)
const surfaces = { api: 'API', web: 'Console' }

const keyName = (keys: KeyView[], keyId: string | null | undefined): string | undefined => keys.find(({ key_id }) => key_id === keyId)?.name

const recordTable = (records: UsageRecordView[], { tasks, keys }: { tasks: string; keys: KeyView[] }): Html =>
  table(
    'Usage records',
    [
      { title: 'Kind' },
      { title: 'Time' },
      { title: 'Model' },
      { title: 'Requested by' },
      { title: 'Seconds', number: true },
      { title: 'Paid', number: true },
      { title: 'Starter', number: true },
      { title: 'Paid balance', number: true },
    ],
    records.map(record => [
      record.task_id === null
        ? kinds[record.kind]
        : html`<a href="${tasks}/${encodeURIComponent(record.task_id)}">${kinds[record.kind]}</a>`,
      time(record.created_at),
      html`<span class="nowrap">${record.model ?? '–'}</span>${record.resolution !== null && html`<span class="sub">${record.resolution}</span>`}`,
      record.surface === null ? '–' : html`${surfaces[record.surface]}${sub(keyName(keys, record.key_id))}${sub(tagsText(record.tags))}`,
      record.model === null ? '–' : number(record.billed_seconds),
      change(record.paid_credits),
      change(record.starter_credits),
      number(record.balance_after),
    ]),
  )
