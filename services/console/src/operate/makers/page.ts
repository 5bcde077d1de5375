import { html } from '@filmgate/kit/http/html'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import type { ActionRow } from '../actions/action-repository'
import { operatePage } from '../layout/operate-page'
import { table, tag } from '../layout/parts'
import { errorMessage, type ServiceResult } from '../services/services'
import type { CostSums, Listed, Maker } from '../services/views'
import { closeForms } from './close-forms'

type View = {
  operator: Operator
  makers: ServiceResult<Listed<Maker>>
  costs: ServiceResult<Listed<CostSums>>
  days: number
  last: ActionRow | undefined
  notice: Notice | undefined
}

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const usdOf = (microUsd: number): string => usd.format(microUsd / 1_000_000)

export const makersPage = ({ operator, makers, costs, days, last, notice }: View): string =>
  operatePage({
    operator,
    section: 'makers',
    title: 'Makers',
    notice,
    content: html`${
      makers.ok
        ? table(
            'Makers',
            [
              'Maker',
              'State',
              'Our key',
              'Its absences',
              { name: 'Running', number: true },
              { name: 'Missing', number: true },
              'Asking it',
              { name: 'Models', number: true },
            ],
            makers.value.data.map(maker =>
              maker.on
                ? [
                    maker.maker,
                    'on',
                    tag(maker.key),
                    absences(maker),
                    number(maker.running ?? 0),
                    number(maker.missing ?? 0),
                    asking(maker),
                    number(maker.models?.length ?? 0),
                  ]
                : [maker.maker, html`<span class="soft">off</span>`, '', '', '', '', '', ''],
            ),
          )
        : html`<p class="notice wrong" role="alert">${errorMessage(makers)}</p>`
    }
${makers.ok && closeForms(operator, makers.value.data, last)}
<h2>What they cost in the last ${days} days</h2>
${
  costs.ok
    ? table(
        'Costs',
        [
          'Maker',
          'Model',
          ...['Attempts', 'Open', 'Completed', 'Credits', 'Told', 'By list', 'Lost', 'Not known'].map(name => ({
            name,
            number: true as const,
          })),
        ],
        costs.value.data.map(row => [
          row.maker,
          row.model,
          number(row.attempts),
          number(row.open),
          number(row.completed),
          number(row.credits),
          usdOf(row.told_micro_usd),
          usdOf(row.listed_micro_usd),
          usdOf(row.lost_micro_usd),
          number(row.unknown),
        ]),
        'No attempt was made.',
      )
    : html`<p class="notice wrong" role="alert">${errorMessage(costs)}</p>`
}
<p class="soft">Told: as the maker said. By list: as its price list has it. Lost: paid for attempts that brought nothing. Not known: attempts whose cost nobody knows.</p>`,
  })

const absences = ({ absences, closing }: Maker) =>
  html`${tag(absences)}${closing?.in_force && html` believed until ${time(closing.closed_until)}, says ${closing.by ?? 'nobody named'}: ${closing.reason}`}`

const asking = ({ asking }: Maker) =>
  asking?.breaker === 'open' ? html`${tag('held')} ${number(asking.unanswered_calls)} calls without an answer` : tag('ready')
