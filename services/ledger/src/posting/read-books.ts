import { periodsAt } from '@filmgate/kit/calendar/period'
import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { type Account, type CreditChange, unfinishedMaxOf } from '../books/account'
import type { Books } from '../books/book-changes'
import { type Budget, labelsOfDay, periodLabels, type Spend, type Subject, subjectKey, subjectsOf } from '../books/budget'
import type { Instruction } from '../books/instruction'
import type { Declined, Reservation } from '../books/reservation'
import { findCreditChanges, lockAccounts, openAccounts } from '../database/account-repository'
import { findBudgets, findSpend } from '../database/budget-repository'
import { findDeclined } from '../database/declined-repository'
import { findRequests, findReservations, findReservedEvents, findUnfinished } from '../database/reservation-repository'

/** The code that Postgres gives such a conflict: the bus handles the batch again from its start. */
const serializationFailure = '40001'

/**
 * Opens accounts, locks every account that the instructions name and reads the rest under those locks. The statements are sent together and
 * answered in order: one round trip, and a second one where requests were delivered again, an account may meet its limit or has budgets.
 * Fails where another replica opened an account and reserved between two of them: locking that account now would break the order of ids.
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
  const counted = countedSubjects(instructions, { accounts: locked, reservations, nowMs })
  const replayed = instructions.flatMap(one => (one.kind === 'replay' ? [one.taskId] : []))
  const [reservedEvents, requests, unfinished, budgets, spend] = await Promise.all([
    deliveredAgain.length > 0 ? findReservedEvents(sql, deliveredAgain) : new Map<string, Uint8Array>(),
    replayed.length > 0 ? findRequests(sql, replayed) : new Map<string, Uint8Array>(),
    atLimit.length > 0 ? findUnfinished(sql, atLimit, nowMs) : new Map<string, Reservation>(),
    counted.length > 0 ? findBudgets(sql, counted) : new Map<string, Budget>(),
    counted.length > 0
      ? findSpend(
          sql,
          counted.flatMap(({ labels, ...subject }) => labels.map(period => ({ ...subject, period }))),
        )
      : new Map<string, Spend>(),
  ])
  const all = new Map([...unfinished, ...reservations])
  return { nowMs, accounts: locked, reservations: all, declined, creditChanges, reservedEvents, requests, budgets, spend }
}

type Locked = { accounts: ReadonlyMap<string, Account>; reservations: ReadonlyMap<string, Reservation>; nowMs: number }

/**
 * Whose spend the batch reads or changes, each with the labels of all periods that it may: those of now in every time zone that the account has
 * within the batch, and those that a reservation was counted in. Empty where no account of the batch has a budget.
 */
function countedSubjects(
  instructions: readonly Instruction[],
  { accounts, reservations, nowMs }: Locked,
): (Subject & { labels: string[] })[] {
  const labels = new Map<string, string[]>()
  const subjects = new Map<string, Subject>()
  const addZone = (id: string, zone: string | null) => {
    if (zone !== null) labels.set(id, [...(labels.get(id) ?? []), ...Object.values(periodLabels(periodsAt(nowMs, zone)))])
  }
  for (const { timeZone, id } of accounts.values()) addZone(id, timeZone)
  for (const one of instructions) if (one.kind === 'set_budget' && accounts.has(one.accountId)) addZone(one.accountId, one.timeZone)
  if (labels.size === 0) return []
  for (const instruction of instructions) {
    const known = labels.get(instruction.accountId)
    if (!known) continue
    const reservation = 'taskId' in instruction ? reservations.get(instruction.taskId) : undefined
    if (reservation?.spendDay) known.push(...labelsOfDay(reservation.spendDay))
    const spender = instruction.kind === 'reserve' ? instruction : reservation
    const some = namedSubjects(instruction) ?? (spender ? subjectsOf(spender) : [])
    for (const { accountId, scope, subjectId } of some)
      subjects.set(subjectKey({ accountId, scope, subjectId }), { accountId, scope, subjectId })
  }
  return [...subjects.values()].map(subject => ({ ...subject, labels: [...new Set(labels.get(subject.accountId))] }))
}

function namedSubjects(instruction: Instruction): Subject[] | undefined {
  if (instruction.kind === 'set_budget') return [instruction.budget]
  return instruction.kind === 'raise_version' ? instruction.subjects : undefined
}

/** The accounts whose limit these requests may meet, counted with all that is open. */
function meetingLimit(instructions: readonly Instruction[], accounts: ReadonlyMap<string, Account>, unfinishedMax: number): string[] {
  const requests = Map.groupBy(
    instructions.filter(one => one.kind === 'reserve'),
    one => one.accountId,
  )
  return [...requests]
    .map(([id, some]) => ({ id, account: accounts.get(id), more: some.length }))
    .filter(({ account, more }) => (account?.unfinished ?? 0) + more > unfinishedMaxOf(account, { unfinishedMax }))
    .map(({ id }) => id)
}

/** What may come before its account was opened. */
const opening = new Set<Instruction['kind']>(['open_account', 'set_limits', 'set_budget'])

function mentioned(instructions: readonly Instruction[]) {
  const accounts = new Set<string>()
  const opened = new Set<string>()
  const tasks = new Set<string>()
  const requested = new Set<string>()
  const changeIds = new Set<string>()
  for (const instruction of instructions) {
    accounts.add(instruction.accountId)
    if (opening.has(instruction.kind) || 'change' in instruction) opened.add(instruction.accountId)
    if ('change' in instruction) changeIds.add(instruction.change.id)
    if (!('taskId' in instruction)) continue
    tasks.add(instruction.taskId)
    if (instruction.kind !== 'conclude') requested.add(instruction.taskId)
  }
  return { accounts, opened, tasks, requested, changeIds }
}
