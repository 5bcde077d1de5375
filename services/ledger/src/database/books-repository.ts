import type { Fragment, TransactionSql } from '@filmgate/kit/database/postgres'
import type { BookChanges, Books } from '../books/book-changes'
import { insertCreditChanges, updateAccounts } from './account-repository'
import { upsertBudgets, upsertSpend } from './budget-repository'
import { insertContradictions } from './contradiction-repository'
import { insertDeclined } from './declined-repository'
import { insertEntries } from './entry-repository'
import { insertReleases } from './release-repository'
import { insertReservations, updateReservations } from './reservation-repository'

/** Writes what a batch changed, and its events, in one statement: one round trip for all tables. */
export async function writeBooks(sql: TransactionSql, books: Books, changes: BookChanges, events: Fragment): Promise<void> {
  const { nowMs } = changes.rules
  const reservations = changed(books.reservations, changes.reservations)
  const made = reservations.filter(({ taskId }) => !books.reservations.has(taskId))
  const updated = reservations.filter(({ taskId }) => books.reservations.has(taskId))
  const accounts = changed(books.accounts, changes.accounts)
  const creditChanges = changed(books.creditChanges, changes.creditChanges)
  const declined = changed(books.declined, changes.declined)
  const budgets = changed(books.budgets, changes.budgets)
  const spend = changed(books.spend, changes.spend)
  const { contradictions, entries, releases } = changes
  await sql`
    with published as (${events})
    ${creditChanges.length > 0 ? sql`, decided as (${insertCreditChanges(sql, creditChanges)})` : sql``}
    ${made.length > 0 ? sql`, made as (${insertReservations(sql, made, nowMs)})` : sql``}
    ${updated.length > 0 ? sql`, updated as (${updateReservations(sql, updated, nowMs)})` : sql``}
    ${declined.length > 0 ? sql`, declined as (${insertDeclined(sql, declined, nowMs)})` : sql``}
    ${releases.length > 0 ? sql`, released as (${insertReleases(sql, releases, nowMs)})` : sql``}
    ${contradictions.length > 0 ? sql`, contradicted as (${insertContradictions(sql, contradictions, nowMs)})` : sql``}
    ${entries.length > 0 ? sql`, entered as (${insertEntries(sql, entries)})` : sql``}
    ${accounts.length > 0 ? sql`, balanced as (${updateAccounts(sql, accounts)})` : sql``}
    ${budgets.length > 0 ? sql`, capped as (${upsertBudgets(sql, budgets)})` : sql``}
    ${spend.length > 0 ? sql`, spent as (${upsertSpend(sql, spend)})` : sql``}
    select`
}

/** Rows are replaced when they change, never changed in place, so comparing identities is enough. */
const changed = <Row>(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>): Row[] =>
  [...after].filter(([id, row]) => before.get(id) !== row).map(([, row]) => row)
