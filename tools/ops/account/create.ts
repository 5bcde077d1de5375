import type { Call } from '../operator-api'

export interface NewAccount {
  account_id: string
  api_key: string
}

/** Opens an account with paid credits and its first API key, which is shown this once. */
export const accountCreate = (call: Call, input: { name: string; credits: number; starterCredits?: number }): Promise<NewAccount> => {
  const { name, credits, starterCredits } = input
  const body = { name, credits, ...(starterCredits !== undefined && { starter_credits: starterCredits }) }
  return call('gateway', 'POST', '/accounts', body) as Promise<unknown> as Promise<NewAccount>
}
