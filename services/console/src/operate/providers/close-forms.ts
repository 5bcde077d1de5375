import { type Html, html } from '@filmgate/kit/http/html'
import { mayActAs } from '@filmgate/kit/operator/act'
import { actForm } from '../acts/act-form'
import type { ActRow } from '../acts/act-repository'
import type { Operator } from '../door/operator-of'
import type { Provider } from '../services/views'
import { minutesDefault, minutesMax } from './close-provider'

/** To have the silence of a provider believed, one form for each that is on. */
export function closeForms(operator: Operator, providers: Provider[], last: ActRow | undefined): Html | false {
  const on = providers.filter(provider => provider.on)
  if (on.length === 0 || !mayActAs(operator.role, 'support')) return false
  return html`<h2>Believe a provider’s silence</h2>
<p>Only where the provider’s own console or its support says that it really has lost what it doesn’t know of.</p>
${on.map(({ provider }) => closeForm(operator, provider, last))}`
}

function closeForm(operator: Operator, provider: string, last: ActRow | undefined) {
  const again = last?.act === 'provider_closed' && last.outcome !== 'done' && last.subject === provider ? last : undefined
  const id = `provider_closed-${provider}-minutes`
  return actForm(operator, {
    act: 'provider_closed',
    key: provider,
    path: `/operate/providers/${encodeURIComponent(provider)}/close`,
    title: `${provider}…`,
    button: 'Believe it',
    what: 'For that time whatever it doesn’t know of is refunded, or tried elsewhere.',
    meant: `I know from ${provider} that these are lost.`,
    fields: html`<label for="${id}">Minutes</label>
<input id="${id}" name="minutes" type="number" min="1" max="${minutesMax}" required autocomplete="off" value="${String(again?.details.minutes ?? minutesDefault)}">`,
    last,
  })
}
