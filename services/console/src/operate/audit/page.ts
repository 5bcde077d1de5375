import { type Html, html } from '@filmgate/kit/http/html'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { AuditRun, Contradiction } from '@filmgate/proto/operator/books'
import type { LastSalesAudit } from '../../billing/audit/audit-repository'
import type { Reconciliation } from '../../billing/reconciliation/reconciliation'
import { number, time } from '../../layout/numbers'
import type { Notice } from '../../layout/page'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'
import type { CrossAudit } from '../cross-audit/cross-audit'
import { operatePage } from '../layout/operate-page'
import { accountLink, table, taskLink } from '../layout/parts'
import { errorMessage, type ServiceResult } from '../services/services'
import { crossAudits } from './cross-audits'
import { reconciliations } from './reconciliations'

type View = {
  operator: Operator
  runs: ServiceResult<Listed<AuditRun>>
  contradictions: ServiceResult<Listed<Contradiction>>
  sales: LastSalesAudit | undefined
  reconciled: Reconciliation[]
  crossed: CrossAudit[]
  last: ActionRow | undefined
  notice: Notice | undefined
}

export const auditPage = ({ operator, runs, contradictions, sales, reconciled, crossed, last, notice }: View): string =>
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
  description: 'Checks all invariants of the ledger and changes nothing. A full audit may take minutes.',
  confirmation: 'I want to start an audit now.',
  fields: html`<label for="scope">Scope</label>
<select id="scope" name="scope"><option value="new">entries since the last clean run</option><option value="full">all entries</option></select>`,
  last,
})}
${crossAudits(crossed)}
${findingsOfSales(sales)}
${reconciliations(operator, reconciled, last)}
<h2>Open contradictions</h2>
${contradictions.ok ? open(operator, contradictions.value.data, last) : html`<p class="notice wrong" role="alert">${errorMessage(contradictions)}</p>`}
${runs.ok && runs.value.data.length > 1 && earlier(runs.value.data)}`,
  })

function latest([run]: AuditRun[]): Html {
  if (!run) return html`<p>No audit has run yet.</p>`
  const { findings, checked, at, scope } = run
  return html`<p>Last audit ${time(at)}, ${scope === 'full' ? 'all entries' : 'new entries'}: ${number(checked.entries)} entries, ${number(checked.reservations)} reservations and ${number(checked.grants)} grants of ${number(checked.accounts)} accounts.</p>
${
  findings.length === 0
    ? html`<p class="notice">No findings.</p>`
    : html`<p class="notice wrong">${number(findings.length)} ${findings.length === 1 ? 'finding' : 'findings'}.</p>
${table(
  'Findings',
  ['Rule', 'Finding'],
  findings.map(({ check, detail }) => [html`<code>${check}</code>`, html`<div class="wide-cell">${detail}</div>`]),
)}`
}`
}

const findingsOfSales = (audit: LastSalesAudit | undefined): Html => html`<h2>Sales audit</h2>
${
  audit
    ? html`<p>Last audit ${time(audit.at)}: ${number(audit.purchases)} purchases. It runs every hour.</p>
${table(
  'Sales audit',
  ['Rule', 'Purchase', 'Finding'],
  audit.findings.map(({ check, purchaseId, detail }) => [
    html`<code>${check}</code>`,
    html`<span class="mono">${purchaseId ?? ''}</span>`,
    html`<div class="wide-cell">${detail}</div>`,
  ]),
  'No findings.',
)}
${audit.total > audit.findings.length && html`<p class="soft">${number(audit.total)} in total; the first are shown.</p>`}`
    : html`<p>No sales audit has run yet.</p>`
}`

const open = (
  operator: Operator,
  rows: Contradiction[],
  last: ActionRow | undefined,
): Html => html`<p>Verdicts that arrived after another one was booked, and change ids that were reused with other terms. Find the cause, correct it, then acknowledge.</p>
${table(
  'Contradictions',
  ['Object', 'Account', 'Last seen', 'Details', { name: 'Count', number: true }, ''],
  rows.map(one => [
    /^vt_/.test(one.task_id ?? '') ? taskLink(one.task_id ?? '') : html`<span class="mono">${one.task_id ?? ''}</span>`,
    one.account_id && accountLink(one.account_id),
    time(one.seen_at),
    html`<div class="wide-cell">${one.detail ?? `received the verdict ${one.verdict} while its reservation was ${one.state ?? 'unknown'}`}</div>`,
    number(one.times),
    actionForm(operator, {
      action: 'contradiction_acknowledged',
      key: one.task_id ?? '',
      path: `/operate/audit/contradictions/${encodeURIComponent(one.task_id ?? '')}/acknowledge`,
      title: 'Acknowledge…',
      button: 'Acknowledge',
      description: 'Closes its findings. Changes no credits.',
      confirmation: 'I know the cause, and it is corrected.',
      last,
    }),
  ]),
  'None.',
)}`

const earlier = (runs: AuditRun[]): Html => html`<h2>Earlier runs</h2>
${table(
  'Runs',
  ['Time', 'Scope', { name: 'Entries', number: true }, { name: 'Findings', number: true }],
  runs.slice(1).map(({ at, scope, checked, findings }) => [time(at), scope, number(checked.entries), number(findings.length)]),
)}`
