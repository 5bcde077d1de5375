import { type Html, html } from '@filmgate/kit/http/html'
import { number, time } from '../../layout/numbers'
import { type CrossAudit, totalOf } from '../cross-audit/cross-audit'
import { table, taskLink } from '../layout/parts'

/** The latest cross-audits, and the findings of the newest that ended. */
export function crossAudits(runs: CrossAudit[]): Html {
  const last = runs.find(({ state }) => state === 'done')
  return html`<h2>Cross-audit</h2>
<p>Each hour the databases of two services are compared: the gateway with the ledger and the dispatcher, payments with the ledger, and outputs with the object store. Rows of the last ten minutes are left out.</p>
${table(
  'Cross-audits',
  ['Started', 'Requested by', 'Period', { name: 'Rows', number: true }, { name: 'Differences', number: true }, 'Status'],
  runs.map(run => [
    time(run.createdAt),
    run.requestedBy ?? 'hourly run',
    html`${time(run.since)} to ${time(run.until)}`,
    number(Object.values(run.compared).reduce((sum, { rows }) => sum + rows, 0)),
    number(totalOf(run)),
    html`<span class="tag${run.state === 'failed' && ' bad'}${run.state === 'done' && ' good'}">${run.state}</span>${run.fault !== null && html`<span class="sub">${run.fault}</span>`}`,
  ]),
  'No cross-audit has run yet.',
)}
${last && totalOf(last) > 0 && findings(last)}`
}

const findings = (run: CrossAudit): Html => html`${table(
  'Differences between services',
  ['Rule', 'Object', 'Difference', 'Next', 'First found'],
  run.findings.map(({ check, subject, detail, act, foundAt }) => [
    html`<code>${check}</code>`,
    subject.startsWith('vt_') ? taskLink(subject) : html`<span class="mono">${subject}</span>`,
    html`<div class="wide-cell">${detail}</div>`,
    act,
    time(foundAt),
  ]),
)}
${totalOf(run) > run.findings.length && html`<p class="soft">${number(totalOf(run))} in total; the first are shown.</p>`}`
