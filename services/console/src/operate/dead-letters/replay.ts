import { Replay } from '@filmgate/proto/operator/bus'
import type { Form } from '../../door/read-form'
import { number } from '../../layout/numbers'
import { perform, resultOf } from '../acts/perform'
import type { OperateDeps, Operator } from '../door/operator-of'

const lettersMax = 500
const replayTimeoutMs = 120_000

/** Sends the letters of a topic back where they came from, oldest first; with an event in the form that one's alone. */
export function replayLetters(deps: OperateDeps, operator: Operator, form: Form, topic: string) {
  const event = form.get('event')
  const details = { topic, ...(event !== '' && { event }) }
  return perform(deps, operator, form, { act: 'letters_replayed', subject: event === '' ? topic : event, details }, async reason => {
    const body = { ...details, limit: lettersMax, reason }
    const question = { answer: Replay, method: 'POST', path: '/dead-letters/replay', body, timeoutMs: replayTimeoutMs } as const
    const told = await deps.services.ask(operator.person, 'gateway', question)
    return resultOf(told, ({ replayed, refused }) => {
      const kept = refused.length > 0 ? ` The broker did not take ${number(refused.length)} back; they stay.` : ''
      return { outcome: replayed === 0 && refused.length > 0 ? 'refused' : 'done', answer: `${number(replayed)} sent back.${kept}` }
    })
  })
}
