import { Discard, Replay } from '@filmgate/proto/operator/bus'
import type { Static, TSchema } from '@sinclair/typebox'
import type { FormFields } from '../../http/read-form'
import { number } from '../../layout/numbers'
import type { OperateDeps, Operator } from '../access/require-operator'
import type { OperatorActionName } from '../actions/operator-actions'
import { type ActionResult, actionResult, performAction } from '../actions/perform-action'

const lettersMax = 500
const removalTimeoutMs = 120_000

/** Who removes which letters: those of the form's event and consumer group, or all of the topic. */
type Removal = { operator: Operator; form: FormFields; topic: string }

/** Sends dead letters back to the consumer groups that set them aside, oldest first. */
export const replayLetters = (deps: OperateDeps, removal: Removal) =>
  removeLetters(deps, removal, { action: 'letters_replayed', path: '/dead-letters/replay', answer: Replay }, ({ replayed, refused }) => {
    const kept = refused.length > 0 ? ` The broker rejected ${number(refused.length)}. They stay here.` : ''
    return { outcome: replayed === 0 && refused.length > 0 ? 'refused' : 'done', answer: `${number(replayed)} replayed.${kept}` }
  })

/** Removes one dead letter for good. It is never replayed. */
export const discardLetter = (deps: OperateDeps, removal: Removal) =>
  removeLetters(
    deps,
    removal,
    { action: 'letters_discarded', path: '/dead-letters/discard', answer: Discard },
    ({ discarded }) => `${number(discarded)} discarded.`,
  )

function removeLetters<S extends TSchema>(
  deps: OperateDeps,
  { operator, form, topic }: Removal,
  { action, ...request }: { action: OperatorActionName; path: string; answer: S },
  resultOf: (answer: Static<S>) => string | ActionResult,
): Promise<number> {
  const [event, group] = [form.get('event'), form.get('group')]
  const details = { topic, ...(event !== '' && { event }), ...(group !== '' && { group }) }
  return performAction(deps, operator, form, { action, subject: event === '' ? topic : event, details }, async reason => {
    const body = { ...details, limit: lettersMax, reason }
    const response = await deps.services.ask(operator.person, 'gateway', { ...request, method: 'POST', body, timeoutMs: removalTimeoutMs })
    return actionResult(response, resultOf)
  })
}
