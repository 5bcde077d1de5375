import { Failure } from '@filmgate/kit/failure'
import { Closing } from '@filmgate/proto/operator/provider'
import type { Reason } from '../../errors'
import type { FormFields } from '../../http/read-form'
import { number } from '../../layout/numbers'
import type { OperateDeps, Operator } from '../access/require-operator'
import { actionResult, performAction } from '../actions/perform-action'

export const minutesMax = 1_440
export const minutesDefault = 15

/** For some minutes, tasks that this provider doesn't know count as lost and are refunded. */
export function closeProvider(deps: OperateDeps, operator: Operator, form: FormFields, provider: string) {
  const minutes = Number(form.get('minutes'))
  if (!/^\d{1,4}$/.test(form.get('minutes')) || minutes < 1 || minutes > minutesMax)
    throw new Failure<Reason>('invalid_request', { message: 'Enter the number of minutes, from 1 to 1,440. Nothing was done.' })
  return performAction(deps, operator, form, { action: 'provider_closed', subject: provider, details: { minutes } }, async reason => {
    const path = `/providers/${encodeURIComponent(provider)}/close`
    const serviceRequest = { answer: Closing, method: 'POST', path, body: { reason, minutes } } as const
    const response = await deps.services.ask(operator.person, 'dispatcher', serviceRequest)
    return actionResult(response, () => `Tasks that ${provider} does not know count as lost for ${number(minutes)} minutes.`)
  })
}
