import type { TransactionSql } from '@filmgate/kit/database/postgres'
import type { Account, CreditChange } from '../books/account'
import type { Books } from '../books/book-changes'
import type { Instruction } from '../books/instruction'
import type { Declined, Reservation } from '../books/reservation'
import { findCreditChanges, lockAccounts, openAccounts } from '../database/account-repository'
import { findDeclined } from '../database/declined-repository'
import { findReservations, findReservedEvents, findUnfinished } from '../database/reservation-repository'

/** The code that Postgres gives such a conflict: the bus handles the batch again from its start. */
const serializationFailure = '40001'

/**
 * Opens accounts, locks every account that the instructions name and reads the rest under those locks. The statements are sent together and
 * answered in order: one round trip, and a second one where requests were delivered again or an account may meet its limit. Fails where another replica opened an account and
 * reserved between two of them, because locking that account now would break the order of ids.
 */
export async function readBooks(
  sql: TransactionSql,
  instructions: readonly Instruction[],
  { openedAtMs, clock, unfinishedMax }: { openedAtMs: number; clock(sql: TransactionSql): Promise<number>; unfinishedMax: number },
): Promise<Books & { nowMs: number }> {
  const { accounts, opened, tasks, requested, changeIds } = mentioned(instructions)
  if (opened.size > 0) await openAccounts(sql, [...opened], openedAtMs)
  const [locked, nowMs, reservations, declined, creditChanges] = await Promise.all([
    lockAccounts(sql, [...accounts]),
    clock(sql),
    tasks.size > 0 ? findReservations(sql, [...tasks]) : new Map<string, Reservation>(),
    requested.size > 0 ? findDeclined(sql, [...requested]) : new Map<string, Declined>(),
    changeIds.size > 0 ? findCreditChanges(sql, [...changeIds]) : new Map<string, CreditChange>(),
  ])
  for (const { taskId, accountId } of reservations.values())
    if (accounts.has(accountId) && !locked.has(accountId))
      throw Object.assign(new Error(`the account of ${taskId} was opened meanwhile`), { code: serializationFailure })
  const deliveredAgain = [...requested].filter(taskId => reservations.has(taskId))
  const atLimit = meetingLimit(instructions, locked, unfinishedMax)
  const [reservedEvents, unfinished] = await Promise.all([
    deliveredAgain.length > 0 ? findReservedEvents(sql, deliveredAgain) : new Map<string, Uint8Array>(),
    atLimit.length > 0 ? findUnfinished(sql, atLimit, nowMs) : new Map<string, Reservation>(),
  ])
  return { nowMs, accounts: locked, reservations: new Map([...unfinished, ...reservations]), declined, creditChanges, reservedEvents }
}

/** The accounts whose limit these requests may meet, counted with all that is open. */
function meetingLimit(instructions: readonly Instruction[], accounts: ReadonlyMap<string, Account>, unfinishedMax: number): string[] {
  const requests = Map.groupBy(
    instructions.filter(one => one.kind === 'reserve'),
    one => one.accountId,
  )
  return [...requests].filter(([id, some]) => (accounts.get(id)?.unfinished ?? 0) + some.length > unfinishedMax).map(([id]) => id)
}

function mentioned(instructions: readonly Instruction[]) {
  const accounts = new Set<string>()
  const opened = new Set<string>()
  const tasks = new Set<string>()
  const requested = new Set<string>()
  const changeIds = new Set<string>()
  for (const instruction of instructions) {
    accounts.add(instruction.accountId)
    if (instruction.kind === 'open_account' || 'change' in instruction) opened.add(instruction.accountId)
    if ('change' in instruction) changeIds.add(instruction.change.id)
    if (!('taskId' in instruction)) continue
    tasks.add(instruction.taskId)
    if (instruction.kind !== 'conclude') requested.add(instruction.taskId)
  }
  return { accounts, opened, tasks, requested, changeIds }
}
