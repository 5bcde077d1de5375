import { Replay } from '@filmgate/proto/operator/bus'
import type { FormFields } from '../../http/read-form'
import { number } from '../../layout/numbers'
import type { OperateDeps, Operator } from '../access/require-operator'
import { actionResult, performAction } from '../actions/perform-action'

const lettersMax = 500
const replayTimeoutMs = 120_000

/**
 * Sends the dead letters of a topic back to their source, oldest first. With an event id in the form, only that one.
 */
export function replayLetters(deps: OperateDeps, operator: Operator, form: FormFields, topic: string) {
  const event = form.get('event')
  const details = { topic, ...(event !== '' && { event }) }
  return performAction(
    deps,
    operator,
    form,
    { action: 'letters_replayed', subject: event === '' ? topic : event, details },
    async reason => {
      const body = { ...details, limit: lettersMax, reason }
      const serviceRequest = { answer: Replay, method: 'POST', path: '/dead-letters/replay', body, timeoutMs: replayTimeoutMs } as const
      const response = await deps.services.ask(operator.person, 'gateway', serviceRequest)
      return actionResult(response, ({ replayed, refused }) => {
        const kept = refused.length > 0 ? ` The broker rejected ${number(refused.length)}. They stay here.` : ''
        return { outcome: replayed === 0 && refused.length > 0 ? 'refused' : 'done', answer: `${number(replayed)} replayed.${kept}` }
      })
    },
  )
}
