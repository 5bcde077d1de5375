import { readPeriod } from '../../billing/reconciliation/read-period'
import { requestReconciliation } from '../../billing/reconciliation/request-reconciliation'
import type { FormFields } from '../../http/read-form'
import type { OperateDeps, Operator } from '../access/require-operator'
import { performAction } from '../actions/perform-action'

/**
 * Starts a reconciliation of the stored payments with Stripe's lists of a period. Missed facts are applied, unless it
 * is a dry run.
 */
export function reconcile({ sql, stripe }: Pick<OperateDeps, 'sql' | 'stripe'>, operator: Operator, form: FormFields) {
  const [from, to, dryRun] = [form.get('from'), form.get('to'), form.get('dry_run') === 'yes']
  const period = readPeriod({ from, to }, new Date())
  const details = { from: period.from.toISOString(), to: period.to.toISOString(), dry_run: dryRun }
  return performAction({ sql }, operator, form, { action: 'payments_reconciled', subject: 'Stripe', details }, async reason => {
    if (!stripe) return { outcome: 'refused', answer: 'Buying is off, so there is nothing to reconcile.' }
    const { livemode } = stripe
    const run = await requestReconciliation(sql, { ...period, dryRun, livemode, requestedBy: operator.person.email, reason })
    if (!run) return { outcome: 'refused', answer: 'Another manual reconciliation is running.' }
    return { outcome: 'done', answer: 'The reconciliation has started. Reload this page to see its results.' }
  })
}
