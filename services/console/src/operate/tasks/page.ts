import { type Html, html } from '@filmgate/kit/http/html'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { TaskRow } from '@filmgate/proto/operator/task'
import { number, time } from '../../layout/numbers'
import type { Operator } from '../access/require-operator'
import { operatePage } from '../layout/operate-page'
import { accountLink, pages, table, tag, taskLink } from '../layout/parts'
import { utcField } from '../layout/utc-field'
import { errorMessage, type ServiceResult } from '../services/services'
import { billings, statuses, type TaskFilter } from './list'

type View = { operator: Operator; url: string; filter: TaskFilter; response: ServiceResult<Listed<TaskRow>> }

export const tasksPage = ({ operator, url, filter, response }: View): string =>
  operatePage({
    operator,
    section: 'tasks',
    title: 'Tasks',
    content: html`<form class="filter" method="get" action="/operate/tasks">
${field('account', 'Account', filter.account)}
${choice('status', 'Status (as the client sees it)', statuses, filter.status)}
${choice('billing', 'Billing status', billings, filter.billing)}
${field('model', 'Model', filter.model)}
${utcField('since', 'Created from', filter.since)}
${utcField('until', 'Created before', filter.until)}
<div><button class="second">Show</button></div>
</form>
${
  response.ok
    ? html`${table(
        'Tasks',
        [
          'Task',
          'Created',
          'Status',
          'Billing status',
          'Model',
          { name: 'Used', number: true },
          { name: 'Refunded', number: true },
          'Error',
          'Account',
        ],
        response.value.data.map(task => [
          taskLink(task.id),
          time(task.created_at),
          tag(task.status),
          tag(task.billing_status),
          task.model,
          number(task.credits_used),
          number(task.credits_refunded),
          task.error ?? '',
          accountLink(task.account_id),
        ]),
        'No task matches.',
      )}
${pages(url, response.value.next_cursor)}`
    : html`<p class="notice wrong" role="alert">${errorMessage(response)}</p>`
}`,
  })

const field = (name: string, label: string, value: string): Html =>
  html`<div><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}"></div>`

const choice = (name: string, label: string, values: string[], chosen: string): Html => html`<div><label for="${name}">${label}</label>
<select id="${name}" name="${name}"><option value="">any</option>${values.map(
  value => html`<option value="${value}"${value === chosen && html` selected`}>${value.replaceAll('_', ' ')}</option>`,
)}</select></div>`
