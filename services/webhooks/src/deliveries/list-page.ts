import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import { type DeliveryStatus, deliveryStatuses, deliveryView } from './delivery'
import { listDeliveries } from './delivery-repository'

const limitDefault = 20
const limitMax = 100

/** Newest first. `url` carries status, cursor and limit; a fault of theirs is named (400). */
export async function listPage(sql: Sql, endpointId: string, url: string) {
  const { status, beforeSeq, limit } = readQuery(new URL(url).searchParams)
  const rows = await listDeliveries(sql, { endpointId, status, beforeSeq, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    object: 'list' as const,
    data: page.map(deliveryView),
    next_cursor: rows.length > limit && last ? Buffer.from(String(last.seq)).toString('base64url') : null,
  }
}

function readQuery(query: URLSearchParams) {
  const [status, cursor, limit] = [query.get('status'), query.get('cursor'), query.get('limit') ?? String(limitDefault)]
  const seq = cursor === null ? null : Buffer.from(cursor.slice(0, 40), 'base64url').toString()
  const issues = [
    ...(status === null || isStatus(status) ? [] : [issue('status', `status must be one of ${deliveryStatuses.join(', ')}`)]),
    ...(seq === null || /^[0-9]{1,15}$/.test(seq) ? [] : [issue('cursor', 'cursor must be the next_cursor of a page before')]),
    ...(/^[0-9]{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= limitMax
      ? []
      : [issue('limit', `limit must be a whole number from 1 to ${limitMax}`)]),
  ]
  if (issues.length > 0) throw new Failure<Reason>('invalid_request', { details: { issues } })
  return { status: status as DeliveryStatus | null, beforeSeq: seq === null ? null : Number(seq), limit: Number(limit) }
}

const isStatus = (text: string): text is DeliveryStatus => (deliveryStatuses as readonly string[]).includes(text)

const issue = (path: string, message: string) => ({ path, rule: 'query', message })
