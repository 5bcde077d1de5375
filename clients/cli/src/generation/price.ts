import type { Estimate } from '@filmgate/client'
import { askYesNo } from '../terminal/ask'
import { exitCodes, Failure, usageFailure } from '../terminal/failure'
import { plain } from '../terminal/plain'
import type { Terminal } from '../terminal/terminal'

export type Consent = { yes?: boolean; maxCredits?: number }

/** The price in words, such as `5 credits (5 seconds at 1)`. */
export function priceWords({ credits, breakdown }: Estimate): string {
  const lines = breakdown.map(({ item, quantity, unit, rate }) => {
    const what = item === 'input_video' ? 'of reference video ' : ''
    return `${quantity} ${unit}${quantity === 1 ? '' : 's'} ${what}at ${rate}`
  })
  return plain(`${credits} credit${credits === 1 ? '' : 's'} (${lines.join(', ')})`)
}

/** What is made, with the defaults of the model. */
export function requestWords({ request }: Estimate): string {
  const { model, mode, duration, resolution, aspect_ratio: ratio } = request as unknown as Record<string, unknown>
  const parts = [model, mode, duration === undefined ? undefined : `${duration} s`, resolution, ratio]
  return plain(parts.filter(part => part !== undefined).join(' · '))
}

/**
 * Shows the price and gets a yes: from --yes, from --max-credits, or from the person at the terminal. Returns what the
 * request may cost at most, which is never more than what was agreed to. Throws a Failure without consent or credits.
 */
export async function agreeOnPrice(terminal: Terminal, estimate: Estimate, consent: Consent, signal: AbortSignal): Promise<number> {
  const { credits, available_credits: balance } = estimate
  terminal.note(requestWords(estimate))
  terminal.note(`Price: ${priceWords(estimate)}. Balance: ${balance} credits.`)
  if (!estimate.available)
    throw new Failure('No provider of this model is configured here.', { exit: exitCodes.failed, code: 'generation_unavailable' })
  if (consent.maxCredits !== undefined && credits > consent.maxCredits)
    throw new Failure(`It costs ${credits} credits, more than --max-credits ${consent.maxCredits}. Nothing was charged.`, {
      exit: exitCodes.credits,
      code: 'max_credits_exceeded',
      facts: { details: { price_credits: credits, max_credits: consent.maxCredits } },
    })
  if (!estimate.sufficient_credits)
    throw new Failure(`It costs ${credits} credits, and you have ${balance}. Nothing was charged.`, {
      exit: exitCodes.credits,
      code: 'insufficient_credits',
      hints: ['Buy credits in the console, under Billing.'],
      facts: { details: { required_credits: credits, available_credits: balance } },
    })
  if (consent.maxCredits !== undefined) return consent.maxCredits
  if (!consent.yes && !terminal.canAsk)
    throw usageFailure('Nobody can be asked about the price here.', `Say --yes, or --max-credits ${credits}.`)
  if (!consent.yes && !(await askYesNo('Make it?', signal)))
    throw new Failure('Nothing was made or charged.', { exit: exitCodes.failed, code: 'declined' })
  return credits
}
