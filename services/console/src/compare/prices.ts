import { type Html, html } from '@filmgate/kit/http/html'
import type { GatewayResult } from '../gateway/gateway'
import { number } from '../layout/numbers'
import type { Issues } from '../playground/form/fields'
import { balancesAfter, type Estimate, fieldIssues } from '../playground/price'

export type ModelEstimate = { modelId: string; answer: GatewayResult<Estimate> }

/** The price of each model's video, their sum, and the balances after all of them. */
export function pricesSummary(estimates: ModelEstimate[], creditsLink: Html): Html {
  const known = estimates.flatMap(({ answer }) =>
    answer.ok && answer.value.available && answer.value.within_max_credits ? [answer.value] : [],
  )
  const total = known.reduce((sum, estimate) => sum + estimate.credits, 0)
  const [first] = known
  const isEnough =
    known.every(estimate => estimate.sufficient_credits) && total <= (first ? first.available_credits + first.starter_credits : 0)
  return html`<p class="figure">${known.length === 0 ? '–' : number(total)} <span class="unit">${total === 1 ? 'credit' : 'credits'}</span></p>
<ul class="lines">${estimates.map(({ modelId, answer }) => html`<li><span>${modelId}</span><span>${lineText(answer)}</span></li>`)}</ul>
${first && balancesAfter(first, { credits: total, sufficient_credits: isEnough }, creditsLink)}`
}

function lineText(answer: GatewayResult<Estimate>): string {
  if (!answer.ok) return answer.status === 400 ? 'check the fields' : answer.message
  if (!answer.value.available) return 'not available now'
  return answer.value.within_max_credits ? number(answer.value.credits) : `${number(answer.value.credits)}, above your price limit`
}

/** A field's first error, with the model that has it. */
export const issuesOfModels = (answers: { modelId: string; answer: GatewayResult<unknown> }[]): Issues =>
  Object.assign({}, ...answers.toReversed().map(({ modelId, answer }) => prefixed(fieldIssues(answer), modelId)))

const prefixed = (issues: Issues, modelId: string): Issues =>
  Object.fromEntries(Object.entries(issues).map(([name, text]) => [name, `${modelId}: ${text}`]))
