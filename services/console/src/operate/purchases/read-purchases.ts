import type { Sql } from '@filmgate/kit/database/postgres'
import { listUndecided } from '../../billing/purchases/count-in-review'
import { isPurchaseId } from '../../billing/purchases/purchase'
import type { PurchaseWithReversals } from '../../billing/purchases/purchase-repository'
import { listLatest, listWaiting, type PurchaseRow } from './row-repository'

export const rowsMax = 50

/** The query of the page; '' if a filter is not set. */
export type PurchaseFilter = { account: string; cursor: string }
export type Purchases = {
  /** The number of purchases to decide, and the oldest of them. */
  undecided: { count: number; rows: PurchaseWithReversals[] }
  waiting: { rows: PurchaseRow[]; more: boolean }
  latest: { rows: PurchaseRow[]; next: string | undefined }
}

export function readPurchaseFilter(url: string): PurchaseFilter {
  const { searchParams } = new URL(url)
  // Postgres texts can't contain a null character.
  const [account = '', cursor = ''] = ['account', 'cursor'].map(name => (searchParams.get(name) ?? '').replaceAll('\0', '').trim())
  return { account, cursor: isPurchaseId(cursor) ? cursor : '' }
}

/** The data of the page. Later pages only have older purchases. */
export async function readPurchases(sql: Sql, { account, cursor }: PurchaseFilter): Promise<Purchases> {
  const accountId = account || undefined
  const isFirst = cursor === ''
  const [undecided, waiting, latest] = await Promise.all([
    isFirst ? listUndecided(sql, accountId) : [],
    isFirst ? listWaiting(sql, rowsMax + 1, accountId) : [],
    listLatest(sql, { accountId, beforeId: cursor || undefined, limit: rowsMax + 1 }),
  ])
  const page = latest.slice(0, rowsMax)
  return {
    undecided: { count: undecided.length, rows: undecided.slice(0, rowsMax) },
    waiting: { rows: waiting.slice(0, rowsMax), more: waiting.length > rowsMax },
    latest: { rows: page, next: latest.length > rowsMax ? page.at(-1)?.id : undefined },
  }
}
