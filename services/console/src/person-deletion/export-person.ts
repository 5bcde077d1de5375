import type { Sql } from '@filmgate/kit/database/postgres'
import { listPersonalActs, listPersonalRows } from './person-data-repository'

const actsAtOnce = 500

/** What the console keeps of a person, an object a line. What accounts have is exported by their owners. */
export async function* exportPerson({ sql }: { sql: Sql }, personId: string): AsyncGenerator<object> {
  yield* await listPersonalRows(sql, personId)
  for (let beforeId: number | null | undefined = null; beforeId !== undefined; ) {
    const acts: { id: number }[] = await listPersonalActs(sql, personId, { beforeId, limit: actsAtOnce })
    for (const act of acts) yield { type: 'act', ...act }
    beforeId = acts.length === actsAtOnce ? acts.at(-1)?.id : undefined
  }
}
