import type { Sql } from '../database/postgres'
import { deleteOutbox } from './outbox-repository'

const deleteRowsMax = 5_000

export type PublishedRows = {
  /** To be deleted at the next flush. */
  add(ids: string[]): void
  /** What it can't delete is left to the next one. */
  flush(): Promise<void>
}

/** Rows that the broker has taken leave the outbox together, off the path of whoever published them. */
export function createPublishedRows(sql: Sql): PublishedRows {
  const published: string[] = []
  return {
    add: ids => void published.push(...ids),
    async flush() {
      while (published.length > 0) {
        const ids = published.splice(0, deleteRowsMax)
        await deleteOutbox(sql, ids).catch(error => {
          published.push(...ids)
          throw error
        })
      }
    },
  }
}
