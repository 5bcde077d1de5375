import { Failure } from '@filmgate/kit/failure'
import type { Form } from '../../door/read-form'
import type { Reason } from '../../errors'
import { number } from '../../layout/numbers'
import { perform, resultOf } from '../acts/perform'
import type { OperateDeps, Operator } from '../door/operator-of'

export const minutesMax = 1_440
export const minutesDefault = 15

/** For some minutes what this provider doesn't know of counts as not there, and is refunded. */
export function closeProvider(deps: OperateDeps, operator: Operator, form: Form, provider: string) {
  const minutes = Number(form.get('minutes'))
  if (!/^\d{1,4}$/.test(form.get('minutes')) || minutes < 1 || minutes > minutesMax)
    throw new Failure<Reason>('invalid_request', { message: 'Say for how many minutes: from 1 to a day’s 1,440. Nothing was done.' })
  return perform(deps, operator, form, { act: 'provider_closed', subject: provider, details: { minutes } }, async reason => {
    const path = `/providers/${encodeURIComponent(provider)}/close`
    const told = await deps.services.ask(operator.person, 'dispatcher', { method: 'POST', path, body: { reason, minutes } })
    return resultOf(told, () => `What ${provider} doesn’t know of counts as not there, for ${number(minutes)} minutes.`)
  })
}
