import type { Call, Json } from '../operator-api'

/** Grants and debits above the limit that wait for a second operator, oldest first. */
export const accountAwaited = async (call: Call): Promise<Json> =>
  ((await call('gateway', 'GET', '/credit-changes')) as { data: Json[] }).data

/** Approves a grant or a debit that another operator asked for; shows what became of it. */
export const accountApprove = (call: Call, { id }: { id: string }) =>
  call('gateway', 'POST', `/credit-changes/${encodeURIComponent(id)}/approve`) as Promise<{ [name: string]: Json; state: string }>
