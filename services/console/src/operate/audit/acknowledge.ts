import { Acknowledged } from '@filmgate/proto/operator/books'
import type { FormFields } from '../../http/read-form'
import { number } from '../../layout/numbers'
import type { OperateDeps, Operator } from '../access/require-operator'
import { actionResult, performAction } from '../actions/perform-action'

/** Acknowledges the contradictions of a task, a grant or a debit, with a reason. Changes no credits. */
export const acknowledge = (deps: OperateDeps, operator: Operator, form: FormFields, id: string) =>
  performAction(deps, operator, form, { action: 'contradiction_acknowledged', subject: id }, async reason => {
    const path = `/tasks/${encodeURIComponent(id)}/acknowledge`
    const serviceRequest = { answer: Acknowledged, method: 'POST', path, body: { reason } } as const
    const response = await deps.services.ask(operator.person, 'ledger', serviceRequest)
    return actionResult(response, ({ acknowledged }) => `${number(acknowledged)} of ${id} acknowledged.`)
  })
