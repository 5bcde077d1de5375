import { Discard } from '@filmgate/proto/operator/bus'
import type { FormFields } from '../../http/read-form'
import { number } from '../../layout/numbers'
import type { OperateDeps, Operator } from '../access/require-operator'
import { actionResult, performAction } from '../actions/perform-action'
import { removalDetails, removalTimeoutMs } from './replay'

/** Removes one dead letter for good. It is never replayed. */
export function discardLetter(deps: OperateDeps, operator: Operator, form: FormFields, topic: string) {
  const { subject, body, details } = removalDetails(form, topic)
  return performAction(deps, operator, form, { action: 'letters_discarded', subject, details }, async reason => {
    const response = await deps.services.ask(operator.person, 'gateway', {
      answer: Discard,
      method: 'POST',
      path: '/dead-letters/discard',
      body: { ...body, reason },
      timeoutMs: removalTimeoutMs,
    })
    return actionResult(response, ({ discarded }) => `${number(discarded)} discarded.`)
  })
}
