import { html } from '@filmgate/kit/http/html'
import { field } from '../../layout/field'
import { time } from '../../layout/numbers'
import type { Operator } from '../access/require-operator'
import { operatePage } from '../layout/operate-page'
import { accountLink, detailsText, pages, table, tag } from '../layout/parts'
import type { ActionFilter, ActionRow } from './action-repository'
import { operatorActions } from './operator-actions'

type View = { operator: Operator; url: string; filter: ActionFilter; actions: ActionRow[]; next: number | undefined }

export const auditLogPage = ({ operator, url, filter, actions, next }: View): string =>
  operatePage({
    operator,
    section: 'audit-log',
    title: 'Audit log',
    content: html`<p>Operator actions on these pages, newest first. Actions of the command <code>ops</code> are listed with their account or task.</p>
<form class="filter" method="get" action="/operate/acts">
<div>${field({ name: 'operator', label: 'Operator (e-mail)', value: filter.operator })}</div>
<div><label for="action">Action</label>
<select id="action" name="action"><option value="">any</option>${Object.entries(operatorActions).map(
      ([name, [, label]]) => html`<option value="${name}"${name === filter.action && html` selected`}>${label}</option>`,
    )}</select></div>
<div>${field({ name: 'account', label: 'Account', value: filter.account })}</div>
<div><button class="second">Show</button></div>
</form>
${table(
  'Operator actions',
  ['Time', 'Operator', 'Action', 'Object', 'Account', 'Reason', 'Outcome', 'Message'],
  actions.map(action => [
    time(action.at),
    html`${action.email} <span class="tag">${action.role}</span>`,
    // Acts of before a name changed are shown as they were kept.
    operatorActions[action.action]?.[1] ?? action.action,
    html`<span class="mono">${action.subject}</span>${Object.keys(action.details).length > 0 && html`<div class="soft">${detailsText(action.details)}</div>`}`,
    action.accountId !== null && accountLink(action.accountId),
    html`<div class="wide-cell">${action.reason}</div>`,
    action.outcome ? tag(action.outcome) : html`<span class="tag">no answer yet</span>`,
    html`<div class="wide-cell">${action.answer ?? ''}</div>`,
  ]),
  'No entry matches.',
)}
${pages(url, next)}`,
  })
