import { randomUUID } from 'node:crypto'
import { ChangeResult } from '@filmgate/proto/operator/account'
import { type Call, callFor } from '../operator-api'

export type Change = {
  kind: 'grant' | 'debit'
  accountId: string
  credits: number
  balance: string
  reason: string
  /** What makes it count once; made here where none is given. */
  id?: string
  by: string
}

/**
 * Gives credits or takes them back, and shows what became of it. An id made here is said before anything is sent, so that a command
 * whose answer is lost can be repeated with it.
 */
export async function accountChange(call: Call, change: Change): Promise<ChangeResult> {
  const { kind, accountId, credits, balance, reason, by } = change
  const id = change.id ?? randomUUID()
  if (!change.id) console.error(`id ${id}: where no answer comes, repeat the command with --id ${id}`)
  const body = { id, credits, balance, reason, by }
  return callFor(call, ChangeResult, 'gateway', 'POST', `/accounts/${encodeURIComponent(accountId)}/${kind}s`, body)
}
