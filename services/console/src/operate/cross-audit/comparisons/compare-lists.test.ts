import { expect, test } from 'bun:test'
import { compareLists } from './compare-lists'
import type { Comparison, IdRange, ListPage } from './comparison'

type Row = { id: string; value: number }
const idAt = (at: number) => `r${String(at).padStart(5, '0')}`
const period = { since: new Date(0), until: new Date(1) }

function listOf(rows: Row[]): { list: ListPage<Row>; pages(): number } {
  let pages = 0
  return {
    pages: () => pages,
    async list({ after, through, id }, limit) {
      pages += 1
      const inRange = (one: Row) => (!id || one.id === id) && (!after || one.id > after) && (!through || one.id <= through)
      return rows.filter(inRange).slice(0, limit)
    },
  }
}

async function compare(left: Row[], right: Row[], range: IdRange = {}) {
  const [lefts, rights] = [listOf(left), listOf(right)]
  const comparison: Comparison<Row, Row> = {
    left: lefts.list,
    right: rights.list,
    idOf: ({ id }) => id,
    rangesOf: () => [range],
    differences: ({ left, right }) =>
      left?.value === right?.value
        ? []
        : [{ check: `${left?.value} ${right?.value}`, subject: left?.id ?? right?.id ?? '', detail: '', act: '' }],
  }
  const found: string[] = []
  let rows = 0
  await compareLists(comparison, { range, period }, compared => {
    rows += compared.rows
    found.push(...compared.differences.map(({ subject, check }) => `${subject} ${check}`))
  })
  return { rows, found: found.toSorted(), pages: [lefts.pages(), rights.pages()] }
}

const rowsTo = (count: number): Row[] => Array.from({ length: count }, (_, at) => ({ id: idAt(at), value: at }))

test.each([0, 1, 499, 500, 501, 1_000, 1_234])(
  'two lists of the same %d rows have no difference, and each row is compared once',
  async count => {
    expect(await compare(rowsTo(count), rowsTo(count))).toMatchObject({ rows: count, found: [] })
  },
)

test('what one list lacks and what differs is found at the edges of pages and between them', async () => {
  const all = rowsTo(1_500)
  const changed = (at: number) => (row: Row) => (row.id === idAt(at) ? { ...row, value: -1 } : row)
  const without = (...gone: number[]) => all.filter(({ value }) => !gone.includes(value))
  expect((await compare(without(0, 500, 1_499), without(499, 501, 700).map(changed(1_000)))).found).toEqual(
    [`${idAt(0)} undefined 0`, `${idAt(499)} 499 undefined`, `${idAt(500)} undefined 500`, `${idAt(501)} 501 undefined`].concat([
      `${idAt(700)} 700 undefined`,
      `${idAt(1_000)} 1000 -1`,
      `${idAt(1_499)} undefined 1499`,
    ]),
  )
})

test('a list that lost a long stretch, or all, is compared in pages', async () => {
  const [none, most] = [await compare([], rowsTo(2_000)), await compare(rowsTo(2_000), rowsTo(100))]
  expect([none.found.length, none.rows, none.pages]).toEqual([2_000, 2_000, [1, 5]])
  expect([most.found.length, most.rows]).toEqual([1_900, 2_000])
})

test('nothing outside the range is compared', async () => {
  const range = { after: idAt(10), through: idAt(20) }
  expect(await compare(rowsTo(15), rowsTo(700), range)).toMatchObject({
    rows: 10,
    found: Array.from({ length: 6 }, (_, at) => `${idAt(15 + at)} undefined ${15 + at}`),
  })
  expect(await compare(rowsTo(9), rowsTo(9).slice(0, 5), { id: idAt(7) })).toMatchObject({ rows: 1, found: [`${idAt(7)} 7 undefined`] })
})
