import type { Sql } from '@filmgate/kit/database/postgres'
import { listUndecided } from '../../billing/purchases/count-in-review'
import type { WithReversals } from '../../billing/purchases/purchase-repository'
import { listLatest, listWaiting, type PurchaseRow } from './row-repository'

export const shownMax = 50
export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** As the address has it; '' where nothing is asked. */
export type Asked = { account: string; cursor: string }
export type Purchases = {
  /** How many somebody has to decide, and the oldest of them. */
  undecided: { count: number; rows: WithReversals[] }
  waiting: { rows: PurchaseRow[]; more: boolean }
  latest: { rows: PurchaseRow[]; next: string | undefined }
}

export function readAsked(url: string): Asked {
  const { searchParams } = new URL(url)
  // Postgres keeps no text with a zero in it.
  const [account = '', cursor = ''] = ['account', 'cursor'].map(name => (searchParams.get(name) ?? '').replaceAll('\0', '').trim())
  return { account, cursor: uuid.test(cursor) ? cursor : '' }
}

/** What the page shows; behind its first page only the older ones. */
export async function readPurchases(sql: Sql, { account, cursor }: Asked): Promise<Purchases> {
  const accountId = account || undefined
  const isFirst = cursor === ''
  const [undecided, waiting, latest] = await Promise.all([
    isFirst ? listUndecided(sql, accountId) : [],
    isFirst ? listWaiting(sql, shownMax + 1, accountId) : [],
    listLatest(sql, { accountId, beforeId: cursor || undefined, limit: shownMax + 1 }),
  ])
  const shown = latest.slice(0, shownMax)
  return {
    undecided: { count: undecided.length, rows: undecided.slice(0, shownMax) },
    waiting: { rows: waiting.slice(0, shownMax), more: waiting.length > shownMax },
    latest: { rows: shown, next: latest.length > shownMax ? shown.at(-1)?.id : undefined },
  }
}
