import type { Sql, TransactionSql } from '../database/postgres'
import { deleteOutbox } from './outbox-repository'
import { deleteOldPublished, movePublished } from './published-repository'

const takeOffRowsMax = 5_000
const forgetRowsMax = 5_000

export type PublishedRows = {
  /** To be taken off the outbox at the next flush. */
  add(ids: string[]): void
  /** What it can't take off is left to the next one. */
  flush(): Promise<void>
  takeOff(sql: Sql | TransactionSql, ids: string[]): Promise<void>
  /** Deletes what is past its retention, a portion a statement. */
  forget(signal: AbortSignal): Promise<void>
}

/** What the broker has taken: it leaves the outbox and is kept beside it for `retentionHours`, not at all where they are 0. */
export function createPublishedRows(sql: Sql, retentionHours: number): PublishedRows {
  const takeOff = retentionHours > 0 ? movePublished : deleteOutbox
  const published: string[] = []
  return {
    add: ids => void published.push(...ids),
    async flush() {
      while (published.length > 0) {
        const ids = published.splice(0, takeOffRowsMax)
        await takeOff(sql, ids).catch(error => {
          published.push(...ids)
          throw error
        })
      }
    },
    takeOff,
    async forget(signal) {
      while (!signal.aborted && (await deleteOldPublished(sql, retentionHours, forgetRowsMax)) === forgetRowsMax);
    },
  }
}
