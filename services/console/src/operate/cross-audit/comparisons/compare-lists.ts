import type { Comparison, Difference, IdRange, ListPage, Period } from './comparison'

const pageRows = 500

export type Compared = { rows: number; differences: Difference[] }

/** Compares both lists over a range of ids, holding a page of each. `found` gets the differences of each pair of pages. */
export async function compareLists<Left, Right>(
  comparison: Comparison<Left, Right>,
  { range, period }: { range: IdRange; period: Period },
  found: (compared: Compared) => void,
): Promise<void> {
  const { left, right, idOf, differences } = comparison
  for (let { after } = range, isLast = false; !isLast; ) {
    const rows = await left(withAfter(range, after), pageRows)
    const last = rows.at(-1)
    isLast = rows.length < pageRows || last === undefined
    const stretch = isLast || last === undefined ? withAfter(range, after) : { ...withAfter(range, after), through: idOf(last) }
    const unmatched = new Map(rows.map(row => [idOf(row), row]))
    for await (const others of pagesOf(right, stretch, idOf)) {
      const compared: Compared = { rows: others.length, differences: [] }
      for (const other of others) {
        compared.differences.push(...differences({ left: unmatched.get(idOf(other)), right: other }, period))
        unmatched.delete(idOf(other))
      }
      found(compared)
    }
    found({ rows: unmatched.size, differences: [...unmatched.values()].flatMap(row => differences({ left: row }, period)) })
    if (last !== undefined) after = idOf(last)
  }
}

async function* pagesOf<Row>(list: ListPage<Row>, range: IdRange, idOf: (row: Row) => string): AsyncGenerator<Row[]> {
  for (let { after } = range; ; ) {
    const rows = await list(withAfter(range, after), pageRows)
    yield rows
    const last = rows.at(-1)
    if (rows.length < pageRows || last === undefined) return
    after = idOf(last)
  }
}

const withAfter = (range: IdRange, after: string | undefined): IdRange => ({ ...range, ...(after !== undefined && { after }) })
