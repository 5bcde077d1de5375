import type { Sql } from '@filmgate/kit/database/postgres'
import type { RequestRow } from '@filmgate/proto/operator/account'
import type { Listed } from '@filmgate/proto/operator/answer'
import { readAlone } from '../database/batched-read'
import { cursor, writeCursor } from '../paging/cursor'
import { pageOf, searchedPage } from '../paging/page'
import { moment, oneOf, type ParameterReader, pageSize, storable, words } from '../paging/read-query'
import { findSearchEnd, type LoggedRequest, listRequests, type RequestFilter, type RequestPosition } from './request-log-repository'

/** An X-Request-Id. */
const requestId: ParameterReader<string | null> = raw => {
  if (raw !== null && !/^[0-9a-f]{32}$/i.test(raw)) throw new Error('must be 32 hexadecimal digits, as in X-Request-Id')
  return raw
}

const codeCharactersMax = 64
const keyCharactersMax = 64

/** What a list of requests may be asked for. */
export const requestParameters = {
  request: requestId,
  result: oneOf(['accepted', 'refused']),
  code: words(codeCharactersMax),
  key_id: words(keyCharactersMax),
  from: moment,
  to: moment,
  cursor: cursor(positionOf),
  limit: pageSize(50, 500),
}

type Query = { [Name in keyof typeof requestParameters]: ReturnType<(typeof requestParameters)[Name]> }

/** A page of them, newest first. Where a search has looked at as many as it may, the page goes on although it is short. */
export async function showRequests(
  sql: Sql,
  accountId: string | null,
  { request, result, code, key_id, from, to, cursor, limit }: Query,
  leftMs: number,
): Promise<Listed<RequestRow>> {
  const position = { before: cursor ?? null, rowsMax: limit + 1 }
  const filter: RequestFilter = { accountId, requestId: request, result, code, keyId: key_id, from, to, ...position }
  const page = pageOf(await readAlone(listRequests(sql, filter), leftMs), limit, requestView, writePosition)
  if (page.has_more) return page
  const searchedTo = await readAlone(findSearchEnd(sql, filter), leftMs)
  return searchedTo === undefined ? page : searchedPage(page, writePosition(searchedTo))
}

const requestView = (request: LoggedRequest): RequestRow => ({
  ...{ account_id: request.accountId, key_id: request.keyId, created_at: request.at.toISOString() },
  ...{ method: request.method, path: request.path, status: request.status, code: request.code },
  ...{ duration_ms: request.durationMs, request_id: request.requestId, task_id: request.taskId },
  refusal: request.refusal === null ? null : JSON.parse(request.refusal),
})

const writePosition = ({ at, id }: RequestPosition): string => writeCursor([at.toISOString(), String(id)])

function positionOf([at = '', id = '']: string[]): RequestPosition | undefined {
  const date = new Date(at)
  return storable(date) && /^\d{1,15}$/.test(id) ? { at: date, id: Number(id) } : undefined
}
