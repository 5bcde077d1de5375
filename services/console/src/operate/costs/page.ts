import { html } from '@filmgate/kit/http/html'
import { type Costs, type Earnings, earningsOf, totalEarnings } from '@filmgate/proto/operator/provider'
import { number } from '../../layout/numbers'
import type { Operator } from '../access/require-operator'
import { operatePage } from '../layout/operate-page'
import { accountLink, table } from '../layout/parts'
import { type ChosenPeriod, type PeriodChoices, periodForm } from '../layout/period'
import { errorMessage, type ServiceResult } from '../services/services'

type View = { operator: Operator; account: string; period: ChosenPeriod; costs: ServiceResult<Costs> }

/** The dispatcher sums at most 31 days at once. */
export const costPeriods: PeriodChoices = [720, 168, 24]

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const usdOf = (microUsd: number): string => usd.format(microUsd / 1_000_000)

/** What attempts cost and brought, by provider and model, least margin first; of one account, or of all. */
export const costsPage = ({ operator, account, period, costs }: View): string =>
  operatePage({
    operator,
    section: 'costs',
    title: 'Costs',
    content: html`${account && html`<p>Of the account ${accountLink(account)}. <a href="/operate/costs">All accounts</a></p>`}
${periodForm('/operate/costs', costPeriods, period, account ? { account } : {})}
${costs.ok ? costTable(costs.value) : html`<p class="notice wrong" role="alert">${errorMessage(costs)}</p>`}`,
  })

const figures = ['Attempts', 'Open', 'Completed', 'Revenue', 'Cost', 'Margin', 'Share of revenue', 'Lost', 'Unknown']

const costTable = ({ credit_micro_usd: worth, data }: Costs) => html`${table(
  'Costs',
  ['Provider', 'Model', ...figures.map(name => ({ name, number: true as const }))],
  data.length === 0
    ? []
    : [
        cellsOf(totalEarnings(data, worth)),
        ...data
          .map(sums => earningsOf(sums, worth))
          .toSorted((a, b) => a.margin_micro_usd - b.margin_micro_usd)
          .map(cellsOf),
      ],
  'No attempts in this period.',
)}
<p class="soft">A credit is worth ${usd.format(worth / 1_000_000)}. Revenue: what clients paid for completed videos with a known cost. Cost: as the provider reported it, or by its price list. Lost: the part of it for attempts without a video. Unknown: attempts without a known cost, which are in no other sum.</p>`

const cellsOf = (row: Earnings) => [
  ...[row.provider, row.model, number(row.attempts), number(row.open), number(row.completed)],
  ...[usdOf(row.revenue_micro_usd), usdOf(row.cost_micro_usd), usdOf(row.margin_micro_usd)],
  row.margin_percent === null ? '–' : `${row.margin_percent} %`,
  ...[usdOf(row.lost_micro_usd), number(row.unknown)],
]
