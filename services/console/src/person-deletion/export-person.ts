import type { Sql } from '@filmgate/kit/database/postgres'
import { listPersonalAuditEntries, listPersonalRows } from './person-data-repository'

const entriesAtOnce = 500

/** The console's data of a person, one object per line. Owners export the data of accounts. */
export async function* exportPerson({ sql }: { sql: Sql }, personId: string): AsyncGenerator<object> {
  yield* await listPersonalRows(sql, personId)
  for (let beforeId: number | null | undefined = null; beforeId !== undefined; ) {
    const entries: { id: number }[] = await listPersonalAuditEntries(sql, personId, { beforeId, limit: entriesAtOnce })
    for (const act of entries) yield { type: 'act', ...act }
    beforeId = entries.length === entriesAtOnce ? entries.at(-1)?.id : undefined
  }
}
