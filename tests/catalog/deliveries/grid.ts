import { type Row, shapeOf } from './hand-price'

const ends = ['settled', 'part', 'refunded'] as const
export type End = (typeof ends)[number]
const columns = [...ends, 'wrong'] as const
type Column = (typeof columns)[number]
type Counts = Record<Column, number>

const none = (): Counts => ({ settled: 0, part: 0, refunded: 0, wrong: 0 })

/** Counts the cases by the way of delivering and the shape of the price, and how they ended. */
export function createGrid(ways: string[]) {
  const counts = new Map<string, Map<string, Counts>>(ways.map(way => [way, new Map()]))
  return {
    count(way: string, rows: Row[], column: Column): void {
      const shapes = counts.get(way)
      const shape = shapeOf(rows)
      const cell = shapes?.get(shape) ?? none()
      cell[column] += 1
      shapes?.set(shape, cell)
    },
    totals(): Counts {
      const total = none()
      for (const cell of [...counts.values()].flatMap(shapes => [...shapes.values()]))
        for (const column of columns) total[column] += cell[column]
      return total
    },
    /** A line for each way, a column for each shape: how many were settled, settled in part, refunded, and wrong. */
    print(): void {
      const shapes = [...new Set([...counts.values()].flatMap(of => [...of.keys()]))].sort()
      const line = (name: string, cells: string[]) => console.log(`  ${name.padEnd(17)}${cells.map(cell => cell.padStart(20)).join('')}`)
      line('', shapes)
      console.log('  each cell: settled/part/refunded/wrong')
      for (const [way, of] of counts)
        line(
          way,
          shapes.map(shape => columns.map(column => (of.get(shape) ?? none())[column]).join('/')),
        )
    },
  }
}
