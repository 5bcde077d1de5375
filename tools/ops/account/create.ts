import { NewAccount } from '@filmgate/proto/operator/account'
import { type Call, callFor } from '../operator-api'

/** Opens an account with paid credits and its first API key, which is shown this once. */
export const accountCreate = (call: Call, input: { name: string; credits: number; starterCredits?: number }) => {
  const { name, credits, starterCredits } = input
  const body = { name, credits, ...(starterCredits !== undefined && { starter_credits: starterCredits }) }
  return callFor(call, NewAccount, 'gateway', 'POST', '/accounts', body)
}
