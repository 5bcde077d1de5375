import { type Html, html } from '@filmgate/kit/http/html'
import { hasRole } from '@filmgate/kit/operator/needs-role'
import type { Provider } from '@filmgate/proto/operator/provider'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'
import { minutesDefault, minutesMax } from './close-provider'

/** One form per active provider to treat tasks that it doesn't know as lost. */
export function closeForms(operator: Operator, providers: Provider[], last: ActionRow | undefined): Html | false {
  const on = providers.filter(provider => provider.on)
  if (on.length === 0 || !hasRole(operator.role, 'support')) return false
  return html`<h2>Treat unknown tasks as lost</h2>
<p>Only if the provider’s console or support confirms that it has lost these tasks.</p>
${on.map(({ provider }) => closeForm(operator, provider, last))}`
}

function closeForm(operator: Operator, provider: string, last: ActionRow | undefined) {
  const previousAttempt = last?.action === 'provider_closed' && last.outcome !== 'done' && last.subject === provider ? last : undefined
  const id = `provider_closed-${provider}-minutes`
  return actionForm(operator, {
    action: 'provider_closed',
    key: provider,
    path: `/operate/providers/${encodeURIComponent(provider)}/close`,
    title: `${provider}…`,
    button: 'Treat as lost',
    description: 'During this time, tasks that the provider does not know are refunded or tried elsewhere.',
    confirmation: `${provider} has confirmed that these tasks are lost.`,
    fields: html`<label for="${id}">Minutes</label>
<input id="${id}" name="minutes" type="number" min="1" max="${minutesMax}" required autocomplete="off" value="${String(previousAttempt?.details.minutes ?? minutesDefault)}">`,
    last,
  })
}
