import type { FormFields } from '../../http/read-form'
import { number } from '../../layout/numbers'
import type { OperateDeps, Operator } from '../access/require-operator'
import { actionResult, performAction } from '../actions/perform-action'

/** Acknowledges the contradictions of a task, a grant or a debit, with a reason. Changes no credits. */
export const acknowledge = (deps: OperateDeps, operator: Operator, form: FormFields, id: string) =>
  performAction(deps, operator, form, { action: 'contradiction_acknowledged', subject: id }, async reason => {
    const path = `/tasks/${encodeURIComponent(id)}/acknowledge`
    const response = await deps.services.ask<{ acknowledged: number }>(operator.person, 'ledger', {
      method: 'POST',
      path,
      body: { reason },
    })
    return actionResult(response, ({ acknowledged }) => `${number(acknowledged)} of ${id} acknowledged.`)
  })
