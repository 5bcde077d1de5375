import type { TransactionSql } from '@filmgate/kit/postgres'
import { findGrants, lockAccounts, openAccounts } from '../account/account-repository'
import { findDeclined } from '../reservation/declined-repository'
import { findReservations } from '../reservation/reservation-repository'
import type { Books } from './draft'
import type { Instruction } from './instruction'

/**
 * Opens what is to be opened, locks every account the instructions name and reads the rest under those locks: the statements are
 * sent at once and answered in order, so all of it costs one round trip.
 */
export async function readBooks(sql: TransactionSql, instructions: readonly Instruction[], nowMs: number): Promise<Books> {
  const asked = mentioned(instructions)
  if (asked.opened.size > 0) await openAccounts(sql, [...asked.opened], nowMs)
  const books = await readOnce(sql, asked)
  // Another replica opened the account, and reserved, between two of these statements: what they have shown can be locked now.
  const late = [...books.reservations.values()].some(({ accountId }) => asked.accounts.has(accountId) && !books.accounts.has(accountId))
  return late ? readOnce(sql, asked) : books
}

async function readOnce(sql: TransactionSql, { accounts, tasks, requested, grants }: ReturnType<typeof mentioned>): Promise<Books> {
  const [locked, reservations, declined, granted] = await Promise.all([
    lockAccounts(sql, [...accounts]),
    tasks.size > 0 ? findReservations(sql, [...tasks]) : new Map(),
    requested.size > 0 ? findDeclined(sql, [...requested]) : new Set<string>(),
    grants.size > 0 ? findGrants(sql, [...grants]) : new Map(),
  ])
  return { accounts: locked, reservations, declined, grants: granted }
}

function mentioned(instructions: readonly Instruction[]) {
  const accounts = new Set<string>()
  const opened = new Set<string>()
  const tasks = new Set<string>()
  const requested = new Set<string>()
  const grants = new Set<string>()
  for (const instruction of instructions) {
    accounts.add(instruction.accountId)
    if (instruction.kind === 'open_account' || instruction.kind === 'grant_credits') opened.add(instruction.accountId)
    if (instruction.kind === 'grant_credits') grants.add(instruction.grant.id)
    if (instruction.kind === 'reserve') requested.add(instruction.taskId)
    if (instruction.kind === 'reserve' || instruction.kind === 'conclude') tasks.add(instruction.taskId)
  }
  return { accounts, opened, tasks, requested, grants }
}
