import { Replay } from '@filmgate/proto/operator/bus'
import type { FormFields } from '../../http/read-form'
import { number } from '../../layout/numbers'
import type { OperateDeps, Operator } from '../access/require-operator'
import { actionResult, performAction } from '../actions/perform-action'

const lettersMax = 500
export const removalTimeoutMs = 120_000

/** Which letters a form means: those of its event and consumer group, or all of the topic. */
export function removalDetails(form: FormFields, topic: string) {
  const [event, group] = [form.get('event'), form.get('group')]
  const details = { topic, ...(event !== '' && { event }), ...(group !== '' && { group }) }
  return { subject: event === '' ? topic : event, details, body: { ...details, limit: lettersMax } }
}

/** Sends dead letters back to the consumer groups that set them aside, oldest first. */
export function replayLetters(deps: OperateDeps, operator: Operator, form: FormFields, topic: string) {
  const { subject, body, details } = removalDetails(form, topic)
  return performAction(deps, operator, form, { action: 'letters_replayed', subject, details }, async reason => {
    const response = await deps.services.ask(operator.person, 'gateway', {
      answer: Replay,
      method: 'POST',
      path: '/dead-letters/replay',
      body: { ...body, reason },
      timeoutMs: removalTimeoutMs,
    })
    return actionResult(response, ({ replayed, refused }) => {
      const kept = refused.length > 0 ? ` The broker rejected ${number(refused.length)}. They stay here.` : ''
      return { outcome: replayed === 0 && refused.length > 0 ? 'refused' : 'done', answer: `${number(replayed)} replayed.${kept}` }
    })
  })
}
