import { type Html, html } from '@filmgate/kit/http/html'
import { mayActAs } from '@filmgate/kit/operator/act'
import type { Maker } from '@filmgate/proto/operator/maker'
import { actForm } from '../acts/act-form'
import type { ActRow } from '../acts/act-repository'
import type { Operator } from '../door/operator-of'
import { minutesDefault, minutesMax } from './close-maker'

/** To have the silence of a maker believed, one form for each that is on. */
export function closeForms(operator: Operator, makers: Maker[], last: ActRow | undefined): Html | false {
  const on = makers.filter(maker => maker.on)
  if (on.length === 0 || !mayActAs(operator.role, 'support')) return false
  return html`<h2>Believe a maker’s silence</h2>
<p>Only where the maker’s own console or its support says that it really has lost what it doesn’t know of.</p>
${on.map(({ maker }) => closeForm(operator, maker, last))}`
}

function closeForm(operator: Operator, maker: string, last: ActRow | undefined) {
  const again = last?.act === 'maker_closed' && last.outcome !== 'done' && last.subject === maker ? last : undefined
  const id = `maker_closed-${maker}-minutes`
  return actForm(operator, {
    act: 'maker_closed',
    key: maker,
    path: `/operate/makers/${encodeURIComponent(maker)}/close`,
    title: `${maker}…`,
    button: 'Believe it',
    what: 'For that time whatever it doesn’t know of is refunded, or tried elsewhere.',
    meant: `I know from ${maker} that these are lost.`,
    fields: html`<label for="${id}">Minutes</label>
<input id="${id}" name="minutes" type="number" min="1" max="${minutesMax}" required autocomplete="off" value="${String(again?.details.minutes ?? minutesDefault)}">`,
    last,
  })
}
