import { writeCsv } from '@filmgate/kit/csv/write-csv'
import type { Sql } from '@filmgate/kit/database/postgres'
import { withDeadline } from '@filmgate/kit/deadline'
import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import { cursor, writeCursor } from '../paging/cursor'
import { pageOf } from '../paging/page'
import { moment, pageSize, readQuery, storable, words } from '../paging/read-query'
import { tagParameter } from '../tags/tag-parameter'
import { type Dimensions, dayAndModel, dimensions, type Group } from './dimensions'
import { listRecords, type RecordFilter, type RecordPosition, sumHeld, sumRecords, type UsageRecord } from './usage-repository'
import {
  recordCells,
  recordColumns,
  recordView,
  sumColumns,
  sumView,
  webRecordColumns,
  webRecordView,
  webSumView,
  withoutWebTask,
} from './usage-view'
import { wantsCsv } from './wants-csv'

export type UsageDeps = { sql: Sql; now(): Date }
/** `surfaces`: tasks that were asked for in the console are shown to the console alone. */
export type UsageQuery = {
  request: Request
  set: { headers: Record<string, string | number> }
  accountId: string
  surfaces: 'api' | 'all'
  leftMs: number
}

const dayMs = 86_400_000
/** A summary is of at most so many days, and of so many where nothing is said. */
const summaryDaysMax = 400
const summaryDays = 30
const csvType = 'text/csv; charset=utf-8'

const filters = { from: moment, to: moment, model: words(64), key_id: words(64), tag: tagParameter }

/** An account's records, newest first, as JSON, or as CSV where text/csv is accepted. */
export async function showRecords({ sql }: UsageDeps, { request, set, accountId, surfaces, leftMs }: UsageQuery) {
  const query = readQuery(request.url, { ...filters, cursor: cursor(positionOf), limit: pageSize(50, 500) })
  const filter = { accountId, surfaces, from: query.from, to: query.to, model: query.model, keyId: query.key_id, tag: query.tag }
  const found = await withDeadline(listRecords(sql, filter, query.cursor, query.limit + 1), leftMs, 'the database')
  const rows = surfaces === 'all' ? found : found.map(withoutWebTask)
  const page = pageOf(rows, query.limit, surfaces === 'all' ? webRecordView : recordView, cursorOf)
  set.headers.vary = 'Accept'
  if (!wantsCsv(request)) return page
  set.headers['content-type'] = csvType
  if (page.next_cursor) set.headers.link = `<${nextUrl(request.url, page.next_cursor)}>; rel="next"`
  return writeCsv(surfaces === 'all' ? webRecordColumns : recordColumns, page.data.map(recordCells))
}

/** An account's records summed, by day and model where nothing else is said, likewise. */
export async function showSums({ sql, now }: UsageDeps, { request, set, accountId, surfaces, leftMs }: UsageQuery) {
  const query = readQuery(request.url, { ...filters, by: dimensions })
  const to = query.to ?? new Date(now().getTime() + 1)
  const from = query.from ?? new Date(to.getTime() - summaryDays * dayMs)
  if (to.getTime() - from.getTime() > summaryDaysMax * dayMs) throw tooLong()
  const filter: RecordFilter = { accountId, surfaces, from, to, model: query.model, keyId: query.key_id, tag: query.tag }
  const by = query.by ?? dayAndModel
  const data = await withDeadline(surfaces === 'all' ? webSums(sql, filter, by) : apiSums(sql, filter, by), leftMs, 'the database')
  set.headers.vary = 'Accept'
  if (!wantsCsv(request)) return { object: 'list' as const, from: from.toISOString(), to: to.toISOString(), data }
  set.headers['content-type'] = csvType
  return writeCsv(sumColumns(by), data)
}

const apiSums = async (sql: Sql, filter: RecordFilter, by: Dimensions) => (await sumRecords(sql, filter, by)).map(sum => sumView(sum, by))

async function webSums(sql: Sql, filter: RecordFilter, by: Dimensions) {
  const [sums, held] = await Promise.all([sumRecords(sql, filter, by), sumHeld(sql, filter, by)])
  const heldOf = new Map(held.map(sum => [nameOf(sum), sum.credits]))
  return sums.map(sum => webSumView(sum, by, heldOf.get(nameOf(sum)) ?? 0))
}

const nameOf = ({ day, model, keyId, tag }: Group): string => JSON.stringify([day, model, keyId, tag])

const cursorOf = ({ at, version, sourceId, kind }: UsageRecord): string => writeCursor([at.toISOString(), String(version), sourceId, kind])

function positionOf([at = '', version = '', sourceId, kind]: string[]): RecordPosition | undefined {
  const date = new Date(at)
  if (sourceId === undefined || kind === undefined || !storable(date) || !/^\d{1,15}$/.test(version)) return undefined
  return { at: date, version: Number(version), sourceId, kind }
}

function nextUrl(requestUrl: string, next: string): string {
  const url = new URL(requestUrl)
  url.searchParams.set('cursor', next)
  // Relative, because the gateway doesn't know by which name it is reached.
  return `?${url.searchParams}`
}

function tooLong(): Failure<Reason> {
  const issue = { path: 'from', rule: 'parameter', message: `from must be at most ${summaryDaysMax} days before to` }
  return new Failure('invalid_request', { details: { issues: [issue] }, message: 'The query has a fault. See details.issues.' })
}
