import { listOf } from '@filmgate/proto/operator/answer'
import { Hold } from '@filmgate/proto/operator/provider'
import type { FormFields } from '../../http/read-form'
import type { OperateDeps, Operator } from '../access/require-operator'
import { actionResult, performAction } from '../actions/perform-action'

/** Of one model, where the form names one. */
const modelIn = (form: FormFields): { model?: string } => (form.get('model') === '' ? {} : { model: form.get('model') })
const routeName = (provider: string, { model }: { model?: string }): string => (model === undefined ? provider : `${model} at ${provider}`)
const pathOf = (provider: string, verb: string): string => `/providers/${encodeURIComponent(provider)}/${verb}`

/** No new orders go to the provider until it is resumed. */
export function pauseProvider(deps: OperateDeps, operator: Operator, form: FormFields, provider: string) {
  const details = modelIn(form)
  return performAction(deps, operator, form, { action: 'provider_paused', subject: provider, details }, async reason => {
    const request = { answer: Hold, method: 'POST', path: pathOf(provider, 'pause'), body: { reason, ...details } } as const
    const response = await deps.services.ask(operator.person, 'dispatcher', request)
    return actionResult(response, () => `${routeName(provider, details)} gets no new orders.`)
  })
}

export function resumeProvider(deps: OperateDeps, operator: Operator, form: FormFields, provider: string) {
  const details = modelIn(form)
  return performAction(deps, operator, form, { action: 'provider_resumed', subject: provider, details }, async reason => {
    const request = { answer: listOf(Hold), method: 'POST', path: pathOf(provider, 'resume'), body: { reason, ...details } } as const
    const response = await deps.services.ask(operator.person, 'dispatcher', request)
    return actionResult(response, () => `${routeName(provider, details)} gets new orders again.`)
  })
}
