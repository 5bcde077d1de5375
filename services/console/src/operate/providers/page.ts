import { html } from '@filmgate/kit/http/html'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { CostSums, Provider } from '@filmgate/proto/operator/provider'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import type { ActionRow } from '../actions/action-repository'
import { operatePage } from '../layout/operate-page'
import { table, tag } from '../layout/parts'
import { errorMessage, type ServiceResult } from '../services/services'
import { closeForms } from './close-forms'
import { holdForms, holdList } from './hold-forms'

type View = {
  operator: Operator
  providers: ServiceResult<Listed<Provider>>
  costs: ServiceResult<Listed<CostSums>>
  days: number
  last: ActionRow | undefined
  notice: Notice | undefined
}

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const usdOf = (microUsd: number): string => usd.format(microUsd / 1_000_000)

export const providersPage = ({ operator, providers, costs, days, last, notice }: View): string =>
  operatePage({
    operator,
    section: 'providers',
    title: 'Providers',
    notice,
    content: html`${
      providers.ok
        ? table(
            'Providers',
            [
              'Provider',
              'Status',
              'API key',
              'New orders',
              'Absences',
              { name: 'Running', number: true },
              { name: 'Missing', number: true },
              'Polling',
              { name: 'Models', number: true },
            ],
            providers.value.data.map(provider =>
              provider.on
                ? [
                    provider.provider,
                    'on',
                    tag(provider.key),
                    holdList(provider.holds),
                    absences(provider),
                    number(provider.running ?? 0),
                    number(provider.missing ?? 0),
                    asking(provider),
                    number(provider.models?.length ?? 0),
                  ]
                : [provider.provider, html`<span class="soft">off</span>`, '', '', '', '', '', '', ''],
            ),
          )
        : html`<p class="notice wrong" role="alert">${errorMessage(providers)}</p>`
    }
${providers.ok && holdForms(operator, providers.value.data, last)}
${providers.ok && closeForms(operator, providers.value.data, last)}
<h2>Costs of the last ${days} days</h2>
${
  costs.ok
    ? table(
        'Costs',
        [
          'Provider',
          'Model',
          ...['Attempts', 'Open', 'Completed', 'Credits', 'Reported', 'By price list', 'Lost', 'Unknown'].map(name => ({
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
        'No attempts.',
      )
    : html`<p class="notice wrong" role="alert">${errorMessage(costs)}</p>`
}
<p class="soft">Reported: by the provider. By price list: from its price list. Lost: paid for attempts without a video. Unknown: attempts without a known cost.</p>`,
  })

const absences = ({ absences, closing }: Provider) =>
  html`${tag(absences)}${closing?.in_force && html` treated as lost until ${time(closing.closed_until)} by ${closing.by ?? 'an unknown operator'}: ${closing.reason}`}`

const asking = ({ asking }: Provider) =>
  asking?.rate_limited_until
    ? html`${tag('rate_limited')} until ${time(asking.rate_limited_until)}`
    : asking?.breaker === 'open'
      ? html`${tag('held')} ${number(asking.unanswered_calls)} unanswered calls`
      : tag('ready')
