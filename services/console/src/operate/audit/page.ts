import { type Html, html } from '@filmgate/kit/http/html'
import type { LastSalesAudit } from '../../billing/audit/audit-repository'
import type { Reconciliation } from '../../billing/reconciliation/reconciliation'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'
import { operatePage } from '../layout/operate-page'
import { accountLink, table, taskLink } from '../layout/parts'
import { errorMessage, type ServiceResult } from '../services/services'
import type { AuditRun, Contradiction, Listed } from '../services/views'
import { reconciliations } from './reconciliations'

type View = {
  operator: Operator
  runs: ServiceResult<Listed<AuditRun>>
  contradictions: ServiceResult<Listed<Contradiction>>
  sales: LastSalesAudit | undefined
  reconciled: Reconciliation[]
  last: ActionRow | undefined
  notice: Notice | undefined
}

export const auditPage = ({ operator, runs, contradictions, sales, reconciled, last, notice }: View): string =>
  operatePage({
    operator,
    section: 'audit',
    title: 'Audit',
    notice,
    content: html`${runs.ok ? latest(runs.value.data) : html`<p class="notice wrong" role="alert">${errorMessage(runs)}</p>`}
${actionForm(operator, {
  action: 'books_audited',
  path: '/operate/audit/runs',
  title: 'Audit now…',
  button: 'Audit',
  description: 'Every invariant of the money is checked. Changes nothing in the books; over everything it may take minutes.',
  confirmation: 'I want the books audited now.',
  fields: html`<label for="scope">What</label>
<select id="scope" name="scope"><option value="new">what came after the last run in order</option><option value="full">everything</option></select>`,
  last,
})}
${findingsOfSales(sales)}
${reconciliations(operator, reconciled, last)}
<h2>Open contradictions</h2>
${contradictions.ok ? open(operator, contradictions.value.data, last) : html`<p class="notice wrong" role="alert">${errorMessage(contradictions)}</p>`}
${runs.ok && runs.value.data.length > 1 && earlier(runs.value.data)}`,
  })

function latest([run]: AuditRun[]): Html {
  if (!run) return html`<p>The books were never audited.</p>`
  const { findings, checked, at, scope } = run
  return html`<p>Last audited ${time(at)}, ${scope === 'full' ? 'everything' : 'what was new'}: ${number(checked.entries)} entries, ${number(checked.reservations)} reservations and ${number(checked.grants)} grants of ${number(checked.accounts)} accounts.</p>
${
  findings.length === 0
    ? html`<p class="notice">Every invariant of the money holds.</p>`
    : html`<p class="notice wrong">${number(findings.length)} ${findings.length === 1 ? 'finding' : 'findings'}.</p>
${table(
  'Findings',
  ['Rule', 'What breaks it'],
  findings.map(({ check, detail }) => [html`<code>${check}</code>`, html`<div class="wide-cell">${detail}</div>`]),
)}`
}`
}

const findingsOfSales = (audit: LastSalesAudit | undefined): Html => html`<h2>Findings of sales</h2>
${
  audit
    ? html`<p>Last audited ${time(audit.at)}: ${number(audit.purchases)} purchases, as they are every hour.</p>
${table(
  'Findings of sales',
  ['Rule', 'Purchase', 'What breaks it'],
  audit.findings.map(({ check, purchaseId, detail }) => [
    html`<code>${check}</code>`,
    html`<span class="mono">${purchaseId ?? ''}</span>`,
    html`<div class="wide-cell">${detail}</div>`,
  ]),
  'The credits of every purchase are what its payment left.',
)}
${audit.total > audit.findings.length && html`<p class="soft">${number(audit.total)} in all; the first are shown.</p>`}`
    : html`<p>Sales were never audited.</p>`
}`

const open = (
  operator: Operator,
  rows: Contradiction[],
  last: ActionRow | undefined,
): Html => html`<p>Verdicts that came after another had been booked, and ids of grants and debits that were used again with other terms. Find out what happened, put it right, then acknowledge.</p>
${table(
  'Contradictions',
  ['Of', 'Account', 'Last seen', 'What', { name: 'Times', number: true }, ''],
  rows.map(one => [
    /^vt_/.test(one.task_id ?? '') ? taskLink(one.task_id ?? '') : html`<span class="mono">${one.task_id ?? ''}</span>`,
    one.account_id && accountLink(one.account_id),
    time(one.seen_at),
    html`<div class="wide-cell">${one.detail ?? `heard to be ${one.verdict} while its reservation was ${one.state ?? 'unknown'}`}</div>`,
    number(one.times),
    actionForm(operator, {
      action: 'contradiction_acknowledged',
      key: one.task_id ?? '',
      path: `/operate/audit/contradictions/${encodeURIComponent(one.task_id ?? '')}/acknowledge`,
      title: 'Acknowledge…',
      button: 'Acknowledge',
      description: 'Closes the findings about it. Moves no credits.',
      confirmation: 'I know what happened, and it is put right.',
      last,
    }),
  ]),
  'None is open.',
)}`

const earlier = (runs: AuditRun[]): Html => html`<h2>Runs before</h2>
${table(
  'Runs',
  ['When', 'What', { name: 'Entries', number: true }, { name: 'Findings', number: true }],
  runs.slice(1).map(({ at, scope, checked, findings }) => [time(at), scope, number(checked.entries), number(findings.length)]),
)}`
