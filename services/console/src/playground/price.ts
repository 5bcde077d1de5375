import { type Html, html } from '@filmgate/kit/http/html'
import type { GatewayResult } from '../gateway/gateway'
import { credits, number } from '../layout/numbers'
import type { Issues } from './form/fields'

export type Estimate = {
  credits: number
  breakdown: { item: 'output' | 'input_video'; quantity: number; unit: 'second' | 'generation'; rate: number; credits: number }[]
  available: boolean
  within_max_credits: boolean
  sufficient_credits: boolean
  available_credits: number
  starter_credits: number
}

const items = { output: 'Video', input_video: 'Input video' }

/** The price of the current form, with both balances after it. */
export function priceSummary(answer: GatewayResult<Estimate>, creditsLink: Html): Html {
  if (!answer.ok)
    return html`<p class="figure soft">–</p><p class="soft">${answer.status === 400 ? 'The price is shown once the fields are valid.' : answer.message}</p>`
  const estimate = answer.value
  return html`<p class="figure">${number(estimate.credits)} <span class="unit">${estimate.credits === 1 ? 'credit' : 'credits'}</span></p>
<ul class="lines">${estimate.breakdown.map(
    line =>
      html`<li><span>${items[line.item]}: ${line.unit === 'second' ? `${line.quantity} s` : 'one'} × ${line.rate}</span><span>${number(line.credits)}</span></li>`,
  )}</ul>
${balancesAfter(estimate, estimate, creditsLink)}
${!estimate.within_max_credits && html`<p class="bad">This exceeds your price limit.</p>`}
${!estimate.available && html`<p class="bad">This model is not available now.</p>`}`
}

type Balances = Pick<Estimate, 'available_credits' | 'starter_credits'>
type Price = Pick<Estimate, 'credits' | 'sufficient_credits'>

/** Starter credits are spent before paid ones. */
export function balancesAfter({ available_credits: paid, starter_credits: starter }: Balances, price: Price, creditsLink: Html): Html {
  if (!price.sufficient_credits) return html`<p class="bad">You have ${credits(paid + starter)}. ${creditsLink}</p>`
  const fromStarter = Math.min(price.credits, starter)
  return html`<dl class="after">${starter > 0 && html`<div><dt>Starter credits after</dt><dd>${number(starter - fromStarter)}</dd></div>`}<div><dt>Paid balance after</dt><dd>${number(paid - (price.credits - fromStarter))}</dd></div></dl>`
}

/** An error's messages by field name; errors without a field are shown above the form. */
export function fieldIssues(answer: GatewayResult<unknown>): Issues {
  if (answer.ok) return {}
  const { issues, field } = (answer.details ?? {}) as { issues?: { path: string; message: string }[]; field?: string }
  if (typeof field === 'string') return { [fieldNameOf(field)]: answer.message }
  const found: Issues = {}
  for (const { path, message } of issues ?? [])
    found[fieldNameOf(path)] ??= `${message.replace(/^./, first => first.toUpperCase())}.`.replace(/\.\.$/, '.')
  return found
}

const fieldNameOf = (path: string): string => /^[a-z_]*/.exec(path)?.[0] ?? ''
