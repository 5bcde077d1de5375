import { type Html, html } from '@filmgate/kit/http/html'
import type { RequestRow } from '@filmgate/proto/operator/account'
import type { Listed } from '@filmgate/proto/operator/answer'
import { field } from '../../layout/field'
import { keptDays, results } from '../../requests/read-filter'
import { requestTable } from '../../requests/request-table'
import type { Operator } from '../access/require-operator'
import { requestsPath, taskPath } from '../layout/menu'
import { operatePage } from '../layout/operate-page'
import { accountLink, pages } from '../layout/parts'
import { utcField } from '../layout/utc-field'
import { errorMessage, type ServiceResult } from '../services/services'
import type { RequestFilter } from './read-requests'

type View = { operator: Operator; url: string; filter: RequestFilter; response: ServiceResult<Listed<RequestRow>> | undefined }

export const requestsPage = ({ operator, url, filter, response }: View): string =>
  operatePage({
    operator,
    section: 'accounts',
    title: 'Requests',
    content: html`<p>Requests with an API key that changed something or were refused, in the last ${keptDays} days. The log of the gateway has all others.</p>
<form class="filter" method="get" action="${requestsPath}">
<div>${field({ name: 'account', label: 'Account', value: filter.account })}</div>
<div>${field({ name: 'request', label: 'Request ID', value: filter.request })}</div>
<div><label for="result">Result</label>
<select id="result" name="result"><option value="">any</option>${Object.entries(results).map(
      ([value, text]) => html`<option value="${value}"${value === filter.result && html` selected`}>${text}</option>`,
    )}</select></div>
<div>${field({ name: 'code', label: 'Error code', value: filter.code })}</div>
<div>${field({ name: 'key_id', label: 'Key ID', value: filter.key_id })}</div>
${utcField('from', 'Came from', filter.from)}
${utcField('to', 'Came before', filter.to)}
<div><button class="second">Show</button></div>
</form>
${list(url, response)}`,
  })

function list(url: string, response: View['response']): Html {
  if (!response) return html`<p class="soft">Enter an account or a request ID.</p>`
  if (!response.ok) return html`<p class="notice wrong" role="alert">${errorMessage(response)}</p>`
  const { data, next_cursor: next } = response.value
  const none = next ? 'No request matches so far. Older ones are not searched yet.' : 'No request matches.'
  const owner = ({ account_id, key_id }: RequestRow) => html`${accountLink(account_id)}<span class="sub mono">${key_id}</span>`
  return html`${data.length === 0 ? html`<p class="soft">${none}</p>` : requestTable(data, { taskPath, ownerTitle: 'Account and key', owner })}
${pages(url, next)}`
}
