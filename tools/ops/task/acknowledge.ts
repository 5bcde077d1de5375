import type { Call } from '../operator-api'

export type Acknowledgement = { id: string; reason: string; by: string }

/** Closes the findings about a task, or about a grant or debit whose id was asked for with other terms. Moves no money. */
export const taskAcknowledge = (call: Call, { id, reason, by }: Acknowledgement) =>
  call('ledger', 'POST', `/tasks/${encodeURIComponent(id)}/acknowledge`, { reason, by })
