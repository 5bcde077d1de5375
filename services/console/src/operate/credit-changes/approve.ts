import { ChangeResult } from '@filmgate/proto/operator/account'
import type { FormFields } from '../../http/read-form'
import type { OperateDeps, Operator } from '../access/require-operator'
import { resultOfChange } from '../accounts/change-credits'
import { actionResult, performAction } from '../actions/perform-action'

/** Approves a grant or debit that another operator requested. */
export const approveChange = (deps: OperateDeps, operator: Operator, form: FormFields, id: string) =>
  performAction(deps, operator, form, { action: 'change_approved', subject: id }, async () => {
    const serviceRequest = { answer: ChangeResult, method: 'POST', path: `/credit-changes/${encodeURIComponent(id)}/approve` } as const
    return actionResult(await deps.services.ask(operator.person, 'gateway', serviceRequest), resultOfChange)
  })
