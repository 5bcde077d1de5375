import { type Html, html } from '@filmgate/kit/http/html'
import type { Reconciliation } from '../../billing/reconciliation/reconciliation'
import { number, time } from '../../layout/numbers'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'
import { table } from '../layout/parts'

/** The latest reconciliations with Stripe, the findings of the newest, and a form to start one. */
export const reconciliations = (
  operator: Operator,
  runs: Reconciliation[],
  last: ActionRow | undefined,
): Html => html`<h2>Reconciliation with Stripe</h2>
<p>Each day Stripe’s lists of charges, refunds and disputes are compared with the stored payments, and missed events are applied. Remaining differences are findings of the sales audit.</p>
${table(
  'Reconciliations',
  [
    'Started',
    'Requested by',
    'Period',
    { name: 'Listed', number: true },
    { name: 'Missed', number: true },
    { name: 'Differences', number: true },
    'Status',
  ],
  runs.map(run => [
    time(run.createdAt),
    run.requestedBy ?? 'daily run',
    html`${time(run.from)} to ${time(run.to)}`,
    number(run.charges + run.refunds + run.disputes),
    html`${number(run.missed)}${run.dryRun && html`<span class="sub">not applied</span>`}`,
    number(run.total),
    html`<span class="tag${run.state === 'failed' && ' bad'}${run.state === 'done' && ' good'}">${run.state}</span>${run.fault !== null && html`<span class="sub">${run.fault}</span>`}`,
  ]),
  'No reconciliation has run yet.',
)}
${runs[0] && runs[0].findings.length > 0 && differences(runs[0])}
${actionForm(operator, {
  action: 'payments_reconciled',
  path: '/operate/audit/reconciliations',
  title: 'Reconcile a period…',
  button: 'Reconcile',
  description: 'Compares Stripe’s lists of the period with the stored payments, and applies missed events.',
  confirmation: 'I want to reconcile this period.',
  fields: html`<label for="reconcile-from">From, such as 2026-11-21</label>
<input id="reconcile-from" name="from" maxlength="40" required autocomplete="off">
<label for="reconcile-to">To (empty: 15 minutes ago)</label>
<input id="reconcile-to" name="to" maxlength="40" autocomplete="off">
<label class="check"><input type="checkbox" name="dry_run" value="yes"> Dry run: only show what would be applied</label>`,
  last,
})}`

const differences = ({
  findings,
  total,
  dryRun,
}: Reconciliation): Html => html`<p>${dryRun ? 'Dry run: what the latest run would apply, and the differences:' : 'Remaining differences of the latest run:'}</p>
${table(
  'Differences',
  ['Rule', 'Purchase', 'Difference'],
  findings.map(({ check, purchaseId, detail }) => [
    html`<code>${check}</code>`,
    html`<span class="mono">${purchaseId ?? ''}</span>`,
    html`<div class="wide-cell">${detail}</div>`,
  ]),
)}
${total > findings.length && html`<p class="soft">${number(total)} in total; the first are shown.</p>`}`
