import type { Call } from './operator-api'

/** Gives credits; the reason stays in the ledger. */
export const accountGrant = (call: Call, input: { accountId: string; credits: number; balance: string; reason: string }) => {
  const { accountId, credits, balance, reason } = input
  return call('gateway', 'POST', `/accounts/${encodeURIComponent(accountId)}/grants`, { credits, balance, reason })
}
