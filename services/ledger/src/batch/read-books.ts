import type { TransactionSql } from '@filmgate/kit/postgres'
import type { CreditChange } from '../account/account'
import { findChanges, lockAccounts, openAccounts } from '../account/account-repository'
import { findDeclined } from '../reservation/declined-repository'
import type { Declined, Reservation } from '../reservation/reservation'
import { findReservations, findReservedEvents } from '../reservation/reservation-repository'
import type { Books } from './draft'
import type { Instruction } from './instruction'

/** What Postgres calls it where it notices it itself: whoever handles the batch begins it anew. */
const serializationFailure = '40001'

/**
 * Opens what is to be opened, locks every account the instructions name and reads the rest under those locks: the statements are
 * sent at once and answered in order, so all of it costs one round trip, and a second one where requests were delivered again. Fails where
 * another replica opened an account, and reserved, between two of them: to lock it now would be out of order.
 */
export async function readBooks(
  sql: TransactionSql,
  instructions: readonly Instruction[],
  { openedAtMs, clock }: { openedAtMs: number; clock(sql: TransactionSql): Promise<number> },
): Promise<Books & { nowMs: number }> {
  const { accounts, opened, tasks, requested, changes } = mentioned(instructions)
  if (opened.size > 0) await openAccounts(sql, [...opened], openedAtMs)
  const [locked, nowMs, reservations, declined, decided] = await Promise.all([
    lockAccounts(sql, [...accounts]),
    clock(sql),
    tasks.size > 0 ? findReservations(sql, [...tasks]) : new Map<string, Reservation>(),
    requested.size > 0 ? findDeclined(sql, [...requested]) : new Map<string, Declined>(),
    changes.size > 0 ? findChanges(sql, [...changes]) : new Map<string, CreditChange>(),
  ])
  for (const { taskId, accountId } of reservations.values())
    if (accounts.has(accountId) && !locked.has(accountId))
      throw Object.assign(new Error(`the account of ${taskId} was opened meanwhile`), { code: serializationFailure })
  const again = [...requested].filter(taskId => reservations.has(taskId))
  const reservedEvents = again.length > 0 ? await findReservedEvents(sql, again) : new Map<string, Uint8Array>()
  return { nowMs, accounts: locked, reservations, declined, changes: decided, reservedEvents }
}

function mentioned(instructions: readonly Instruction[]) {
  const accounts = new Set<string>()
  const opened = new Set<string>()
  const tasks = new Set<string>()
  const requested = new Set<string>()
  const changes = new Set<string>()
  for (const instruction of instructions) {
    accounts.add(instruction.accountId)
    if (instruction.kind === 'open_account' || 'change' in instruction) opened.add(instruction.accountId)
    if ('change' in instruction) changes.add(instruction.change.id)
    if (!('taskId' in instruction)) continue
    tasks.add(instruction.taskId)
    if (instruction.kind !== 'conclude') requested.add(instruction.taskId)
  }
  return { accounts, opened, tasks, requested, changes }
}
