import { Audit } from '@filmgate/proto/operator/books'
import type { FormFields } from '../../http/read-form'
import { number } from '../../layout/numbers'
import type { OperateDeps, Operator } from '../access/require-operator'
import { actionResult, performAction } from '../actions/perform-action'

/** A full run reads every entry. */
const fullTimeoutMs = 240_000

/** Makes the ledger check its invariants now: only new entries, or all. */
export function auditBooks(deps: OperateDeps, operator: Operator, form: FormFields) {
  const full = form.get('scope') === 'full'
  const subject = full ? 'everything' : 'what is new'
  return performAction(deps, operator, form, { action: 'books_audited', subject }, async () => {
    const path = full ? '/audit?full=true' : '/audit'
    const serviceRequest = { answer: Audit, method: 'POST', path, timeoutMs: fullTimeoutMs } as const
    const response = await deps.services.ask(operator.person, 'ledger', serviceRequest)
    return actionResult(response, ({ findings, checked }) => {
      const looked = `${number(checked.entries)} entries of ${number(checked.accounts)} accounts were checked`
      return findings.length === 0 ? `${looked}: no findings.` : `${looked}: ${number(findings.length)} findings, listed below.`
    })
  })
}
