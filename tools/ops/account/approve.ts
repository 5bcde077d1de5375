import { AwaitedChange, ChangeResult } from '@filmgate/proto/operator/account'
import { listOf } from '@filmgate/proto/operator/answer'
import { type Call, callFor } from '../operator-api'

/** Grants and debits above the limit that wait for a second operator, oldest first. */
export const accountAwaited = async (call: Call) => (await callFor(call, listOf(AwaitedChange), 'gateway', 'GET', '/credit-changes')).data

/** Approves a grant or a debit that another operator asked for; shows what became of it. */
export const accountApprove = (call: Call, { id }: { id: string }) =>
  callFor(call, ChangeResult, 'gateway', 'POST', `/credit-changes/${encodeURIComponent(id)}/approve`)
