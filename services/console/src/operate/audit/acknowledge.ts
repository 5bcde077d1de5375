import { Acknowledged } from '@filmgate/proto/operator/books'
import type { Form } from '../../door/read-form'
import { number } from '../../layout/numbers'
import { perform, resultOf } from '../acts/perform'
import type { OperateDeps, Operator } from '../door/operator-of'

/** Closes the contradictions of a task, or of a grant or debit, with what was found out. Moves no credits. */
export const acknowledge = (deps: OperateDeps, operator: Operator, form: Form, id: string) =>
  perform(deps, operator, form, { act: 'contradiction_acknowledged', subject: id }, async reason => {
    const path = `/tasks/${encodeURIComponent(id)}/acknowledge`
    const question = { answer: Acknowledged, method: 'POST', path, body: { reason } } as const
    const told = await deps.services.ask(operator.person, 'ledger', question)
    return resultOf(told, ({ acknowledged }) => `${number(acknowledged)} of ${id} acknowledged.`)
  })
