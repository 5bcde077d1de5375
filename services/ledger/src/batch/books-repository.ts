import type { Fragment, TransactionSql } from '@filmgate/kit/postgres'
import { insertChanges, updateAccounts } from '../account/account-repository'
import { insertEntries } from '../entry/entry-repository'
import { insertContradictions } from '../reservation/contradiction-repository'
import { insertDeclined } from '../reservation/declined-repository'
import { insertReleases } from '../reservation/release-repository'
import { insertReservations, moveReservations } from '../reservation/reservation-repository'
import type { Books, Draft } from './draft'

/** Writes what a draft changed, and its events, in one statement: as many round trips fewer as it has parts. */
export async function writeBooks(sql: TransactionSql, books: Books, draft: Draft, events: Fragment): Promise<void> {
  const { nowMs } = draft.rules
  const reservations = changed(books.reservations, draft.reservations)
  const made = reservations.filter(({ taskId }) => !books.reservations.has(taskId))
  const moved = reservations.filter(({ taskId }) => books.reservations.has(taskId))
  const accounts = changed(books.accounts, draft.accounts)
  const changes = changed(books.changes, draft.changes)
  const declined = changed(books.declined, draft.declined)
  const { contradictions, entries, releases } = draft
  await sql`
    with sent as (${events})
    ${changes.length > 0 ? sql`, decided as (${insertChanges(sql, changes)})` : sql``}
    ${made.length > 0 ? sql`, made as (${insertReservations(sql, made, nowMs)})` : sql``}
    ${moved.length > 0 ? sql`, moved as (${moveReservations(sql, moved, nowMs)})` : sql``}
    ${declined.length > 0 ? sql`, declined as (${insertDeclined(sql, declined, nowMs)})` : sql``}
    ${releases.length > 0 ? sql`, released as (${insertReleases(sql, releases, nowMs)})` : sql``}
    ${contradictions.length > 0 ? sql`, contradicted as (${insertContradictions(sql, contradictions, nowMs)})` : sql``}
    ${entries.length > 0 ? sql`, entered as (${insertEntries(sql, entries)})` : sql``}
    ${accounts.length > 0 ? sql`, balanced as (${updateAccounts(sql, accounts)})` : sql``}
    select`
}

/** Rows are replaced when they change, so identity tells. */
const changed = <Row>(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>): Row[] =>
  [...after].filter(([id, row]) => before.get(id) !== row).map(([, row]) => row)
