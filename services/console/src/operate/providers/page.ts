import { html } from '@filmgate/kit/http/html'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { ActRow } from '../acts/act-repository'
import type { Operator } from '../door/operator-of'
import { operatePage } from '../layout/operate-page'
import { table, tag } from '../layout/parts'
import { type Told, wordsOf } from '../services/services'
import type { CostSums, Listed, Provider } from '../services/views'
import { closeForms } from './close-forms'

type Shown = {
  operator: Operator
  providers: Told<Listed<Provider>>
  costs: Told<Listed<CostSums>>
  days: number
  last: ActRow | undefined
  notice: Notice | undefined
}

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const usdOf = (microUsd: number): string => usd.format(microUsd / 1_000_000)

export const providersPage = ({ operator, providers, costs, days, last, notice }: Shown): string =>
  operatePage({
    operator,
    room: 'providers',
    title: 'Providers',
    notice,
    content: html`${
      providers.ok
        ? table(
            'Providers',
            [
              'Provider',
              'State',
              'Our key',
              'Its absences',
              { name: 'Running', number: true },
              { name: 'Missing', number: true },
              'Asking it',
              { name: 'Models', number: true },
            ],
            providers.value.data.map(provider =>
              provider.on
                ? [
                    provider.provider,
                    'on',
                    tag(provider.key),
                    absences(provider),
                    number(provider.running ?? 0),
                    number(provider.missing ?? 0),
                    asking(provider),
                    number(provider.models?.length ?? 0),
                  ]
                : [provider.provider, html`<span class="soft">off</span>`, '', '', '', '', '', ''],
            ),
          )
        : html`<p class="notice wrong" role="alert">${wordsOf(providers)}</p>`
    }
${providers.ok && closeForms(operator, providers.value.data, last)}
<h2>What they cost in the last ${days} days</h2>
${
  costs.ok
    ? table(
        'Costs',
        [
          'Provider',
          'Model',
          ...['Attempts', 'Open', 'Completed', 'Credits', 'Told', 'By list', 'Lost', 'Not known'].map(name => ({
            name,
            number: true as const,
          })),
        ],
        costs.value.data.map(row => [
          row.provider,
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
    : html`<p class="notice wrong" role="alert">${wordsOf(costs)}</p>`
}
<p class="soft">Told: as the provider said. By list: as its price list has it. Lost: paid for attempts that brought nothing. Not known: attempts whose cost nobody knows.</p>`,
  })

const absences = ({ absences, closing }: Provider) =>
  html`${tag(absences)}${closing?.in_force && html` believed until ${time(closing.closed_until)}, says ${closing.by ?? 'nobody named'}: ${closing.reason}`}`

const asking = ({ asking }: Provider) =>
  asking?.breaker === 'open' ? html`${tag('held')} ${number(asking.unanswered_calls)} calls without an answer` : tag('ready')
