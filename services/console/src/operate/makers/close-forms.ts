import { type Html, html } from '@filmgate/kit/http/html'
import { mayActAs } from '@filmgate/kit/operator/act'
import type { Operator } from '../access/require-operator'
import { actionForm } from '../actions/action-form'
import type { ActionRow } from '../actions/action-repository'
import type { Maker } from '../services/views'
import { minutesDefault, minutesMax } from './close-maker'

/** One form per active provider to treat tasks that it doesn't know as lost. */
export function closeForms(operator: Operator, makers: Maker[], last: ActionRow | undefined): Html | false {
  const on = makers.filter(maker => maker.on)
  if (on.length === 0 || !mayActAs(operator.role, 'support')) return false
  return html`<h2>Treat unknown tasks as lost</h2>
<p>Only if the provider’s console or support confirms that it has lost these tasks.</p>
${on.map(({ maker }) => closeForm(operator, maker, last))}`
}

function closeForm(operator: Operator, maker: string, last: ActionRow | undefined) {
  const previousAttempt = last?.action === 'maker_closed' && last.outcome !== 'done' && last.subject === maker ? last : undefined
  const id = `maker_closed-${maker}-minutes`
  return actionForm(operator, {
    action: 'maker_closed',
    key: maker,
    path: `/operate/makers/${encodeURIComponent(maker)}/close`,
    title: `${maker}…`,
    button: 'Treat as lost',
    description: 'During this time, tasks that the provider does not know are refunded or tried elsewhere.',
    confirmation: `${maker} has confirmed that these tasks are lost.`,
    fields: html`<label for="${id}">Minutes</label>
<input id="${id}" name="minutes" type="number" min="1" max="${minutesMax}" required autocomplete="off" value="${String(previousAttempt?.details.minutes ?? minutesDefault)}">`,
    last,
  })
}
