import { html } from '@filmgate/kit/http/html'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { OutcomeAttempt } from '@filmgate/proto/operator/provider'
import { time } from '../../layout/numbers'
import type { Operator } from '../access/require-operator'
import { operatePage } from '../layout/operate-page'
import { accountLink, pages, table, tag, taskLink } from '../layout/parts'
import type { Period } from '../layout/period'
import { errorMessage, type ServiceResult } from '../services/services'

type View = {
  operator: Operator
  url: string
  period: Period
  filter: Record<string, string>
  attempts: ServiceResult<Listed<OutcomeAttempt>>
}

export const attemptsPage = ({ operator, url, period, filter, attempts }: View): string =>
  operatePage({
    operator,
    section: 'home',
    title: 'Attempts',
    content: html`<p>Made from ${momentOf(period.from)} to before ${momentOf(period.to)}${Object.entries(filter).map(
      ([name, value]) => html`, ${name} <b>${value.replaceAll('_', ' ')}</b>`,
    )}. <a href="/operate?${String(new URLSearchParams(period))}">All outcomes</a></p>
${
  attempts.ok
    ? html`${table(
        'Attempts',
        ['Task', 'Made', 'Provider', 'Model', 'State', 'Answer', 'Ended', 'Account'],
        attempts.value.data.map(attempt => [
          taskLink(attempt.task_id),
          time(attempt.created_at),
          attempt.provider ?? 'none',
          attempt.model,
          html`${tag(attempt.state)}${attempt.code !== null && html` ${attempt.code.replaceAll('_', ' ')}`}`,
          attempt.cause !== null && html`<div class="wide-cell">${attempt.cause}</div>`,
          attempt.ended_at !== null && time(attempt.ended_at),
          accountLink(attempt.account_id),
        ]),
        'No attempt matches.',
      )}
${pages(url, attempts.value.next_cursor)}`
    : html`<p class="notice wrong" role="alert">${errorMessage(attempts)}</p>`
}`,
  })

/** The service says what is wrong with one that is none. */
const momentOf = (text: string) => (Number.isNaN(Date.parse(text)) ? text : time(text))
