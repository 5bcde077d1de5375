import { LowBalance } from '@filmgate/proto/operator/account'
import { InvalidArgumentError } from 'commander'
import { wholeNumber } from '../input/option-values'
import { type Call, callFor } from '../operator-api'

/** Sets the paid balance below which an account's webhooks are told, or never by null. */
export const accountLowBalance = (call: Call, { accountId, credits }: { accountId: string; credits: number | null }) =>
  callFor(call, LowBalance, 'gateway', 'POST', `/accounts/${encodeURIComponent(accountId)}/low-balance`, { credits })

/** A number of credits from 1, or `never`. */
export function threshold(text: string): number | null {
  if (text === 'never') return null
  const credits = wholeNumber(text)
  if (credits < 1) throw new InvalidArgumentError('It must be at least 1, or "never".')
  return credits
}
