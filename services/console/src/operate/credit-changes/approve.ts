import { ChangeResult } from '@filmgate/proto/operator/account'
import type { Form } from '../../door/read-form'
import { resultOfChange } from '../accounts/change-credits'
import { perform, resultOf } from '../acts/perform'
import type { OperateDeps, Operator } from '../door/operator-of'

/** Lets a grant or a debit of another operator go to the ledger. */
export const approveChange = (deps: OperateDeps, operator: Operator, form: Form, id: string) =>
  perform(deps, operator, form, { act: 'change_approved', subject: id }, async () => {
    const question = { answer: ChangeResult, method: 'POST', path: `/credit-changes/${encodeURIComponent(id)}/approve` } as const
    return resultOf(await deps.services.ask(operator.person, 'gateway', question), resultOfChange)
  })
