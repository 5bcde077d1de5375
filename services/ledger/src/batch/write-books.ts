import type { TransactionSql } from '@filmgate/kit/postgres'
import { insertGrants, updateAccounts } from '../account/account-repository'
import { insertEntries } from '../entry/entry-repository'
import { insertContradictions } from '../reservation/contradiction-repository'
import { insertDeclined } from '../reservation/declined-repository'
import { insertReservations, moveReservations } from '../reservation/reservation-repository'
import type { Books, Draft } from './draft'

/** Writes what a draft changed, a statement a table, all sent at once. */
export async function writeBooks(sql: TransactionSql, books: Books, draft: Draft): Promise<void> {
  const { nowMs } = draft.rules
  const reservations = changed(books.reservations, draft.reservations)
  const made = reservations.filter(({ taskId }) => !books.reservations.has(taskId))
  const moved = reservations.filter(({ taskId }) => books.reservations.has(taskId))
  const accounts = changed(books.accounts, draft.accounts)
  const grants = changed(books.grants, draft.grants)
  const declined = [...draft.declined.values()].filter(one => one !== 'before')
  await Promise.all([
    grants.length > 0 && insertGrants(sql, grants, nowMs),
    made.length > 0 && insertReservations(sql, made, nowMs),
    moved.length > 0 && moveReservations(sql, moved, nowMs),
    declined.length > 0 && insertDeclined(sql, declined, nowMs),
    draft.contradictions.length > 0 && insertContradictions(sql, draft.contradictions, nowMs),
    draft.entries.length > 0 && insertEntries(sql, draft.entries, nowMs),
    accounts.length > 0 && updateAccounts(sql, accounts),
  ])
}

/** Rows are replaced when they change, so identity tells. */
const changed = <Row>(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>): Row[] =>
  [...after].filter(([id, row]) => before.get(id) !== row).map(([, row]) => row)
