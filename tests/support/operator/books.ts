import { expect } from 'bun:test'
import type { Account } from '../client/account'
import type { Body } from '../client/api'
import { taskIdsOf } from '../servers/databases'
import { askOperator, type LedgerTask, ledgerTask } from './operator'

type Client = Pick<Account, 'api' | 'accountId'> & { credits: number }

/**
 * The account was charged for what it has and for nothing else: each of its tasks, also those that its client was never told of, has ended,
 * whole in either way, and the balance is what they leave of `credits`. `tasks`: all that its client knows of.
 */
export async function expectPaidAsEnded({ api, accountId, credits }: Client, tasks: Body[]): Promise<void> {
  for (const { id, status, credits_used, credits_refunded } of tasks) {
    const { reservation } = await ledgerTask(id)
    expect([status, reservation]).toMatchObject([
      status,
      {
        state: status === 'completed' ? 'settled' : 'refunded',
        credits: credits_used,
        refunded: status === 'completed' ? 0 : credits_used,
      },
    ])
    expect(credits_refunded).toBe(reservation?.refunded ?? -1)
  }
  const known = new Set(tasks.map(({ id }) => id))
  for (const id of await taskIdsOf(accountId)) if (!known.has(id)) expect(await wasReserved(id)).toBe(false)
  expect(await api.credits()).toBe(credits - tasks.reduce((sum, task) => sum + task.credits_used - task.credits_refunded, 0))
}

/** A declined task may be forgotten by the ledger. */
async function wasReserved(taskId: string): Promise<boolean> {
  const { status, text } = await askOperator('ledger', 'GET', `/tasks/${taskId}`)
  expect([200, 404]).toContain(status)
  return status === 200 && (JSON.parse(text) as LedgerTask).reservation !== null
}
