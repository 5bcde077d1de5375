import { html } from '@filmgate/kit/http/html'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { Provider } from '@filmgate/proto/operator/provider'
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
  last: ActionRow | undefined
  notice: Notice | undefined
}

export const providersPage = ({ operator, providers, last, notice }: View): string =>
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
${providers.ok && closeForms(operator, providers.value.data, last)}`,
  })

const absences = ({ absences, closing }: Provider) =>
  html`${tag(absences)}${closing?.in_force && html` treated as lost until ${time(closing.closed_until)} by ${closing.by ?? 'an unknown operator'}: ${closing.reason}`}`

const asking = ({ asking }: Provider) =>
  asking?.rate_limited_until
    ? html`${tag('rate_limited')} until ${time(asking.rate_limited_until)}`
    : asking?.breaker === 'open'
      ? html`${tag('held')} ${number(asking.unanswered_calls)} unanswered calls`
      : tag('ready')
