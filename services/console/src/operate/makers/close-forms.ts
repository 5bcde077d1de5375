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
  return html`<h2>Believe a maker’s silence</h2>
<p>Only where the maker’s own console or its support says that it really has lost what it doesn’t know of.</p>
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
    button: 'Believe it',
    description: 'For that time whatever it doesn’t know of is refunded, or tried elsewhere.',
    confirmation: `I know from ${maker} that these are lost.`,
    fields: html`<label for="${id}">Minutes</label>
<input id="${id}" name="minutes" type="number" min="1" max="${minutesMax}" required autocomplete="off" value="${String(previousAttempt?.details.minutes ?? minutesDefault)}">`,
    last,
  })
}
