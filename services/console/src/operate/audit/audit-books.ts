import { Audit } from '@filmgate/proto/operator/books'
import type { Form } from '../../door/read-form'
import { number } from '../../layout/numbers'
import { perform, resultOf } from '../acts/perform'
import type { OperateDeps, Operator } from '../door/operator-of'

/** A run over everything reads every entry there is. */
const fullTimeoutMs = 240_000

/** Has the ledger check the invariants of the money now: of what is new, or of everything. */
export function auditBooks(deps: OperateDeps, operator: Operator, form: Form) {
  const full = form.get('scope') === 'full'
  const subject = full ? 'everything' : 'what is new'
  return perform(deps, operator, form, { act: 'books_audited', subject }, async () => {
    const path = full ? '/audit?full=true' : '/audit'
    const question = { answer: Audit, method: 'POST', path, timeoutMs: fullTimeoutMs } as const
    const told = await deps.services.ask(operator.person, 'ledger', question)
    return resultOf(told, ({ findings, checked }) => {
      const looked = `${number(checked.entries)} entries of ${number(checked.accounts)} accounts were checked`
      return findings.length === 0 ? `${looked}: the books are in order.` : `${looked}: ${number(findings.length)} findings, listed below.`
    })
  })
}
