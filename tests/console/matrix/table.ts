import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Cell, nameOf, ofOperators, visitorsOf } from './cells'
import { type Target, targets } from './expected'

const folder = resolve(import.meta.dir, '../../../.local/reports/console')
const [cellWidth, column] = [4, 17]

/** Of each area a table: a line a route; a column a visitor, in it the statuses at own, foreign, crossed and unknown ids. */
export function printTables(cells: Cell[], more: string[]): void {
  const pages = cells.filter(({ kind }) => kind === 'page')
  const areas = [pages.filter(({ route }) => !ofOperators(route)), pages.filter(({ route }) => ofOperators(route))]
  const text = `${[...areas.filter(area => area.length > 0).map(tableOf), ...more].join('\n\n')}\n`
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'matrix.txt'), text)
  console.log(text)
}

function tableOf(cells: Cell[]): string {
  const names = [...new Set(cells.map(({ route }) => nameOf(route)))]
  const visitors = cells[0] ? visitorsOf(cells[0].route) : []
  const width = Math.max(...names.map(({ length }) => length)) + 2
  const statuses = new Map(cells.map(({ route, visitor, target, answer }) => [`${nameOf(route)} ${visitor} ${target}`, answer.status]))
  const statusOf = (name: string, visitor: string, target: Target) => String(statuses.get(`${name} ${visitor} ${target}`) ?? '–')
  const row = (name: string, visitor: string) => targets.map(target => statusOf(name, visitor, target).padEnd(cellWidth)).join('')
  const heads = targets.map(target => target.slice(0, cellWidth - 1).padEnd(cellWidth)).join('')
  return [
    ''.padEnd(width) + visitors.map(visitor => visitor.padEnd(column)).join(''),
    ''.padEnd(width) + visitors.map(() => heads.padEnd(column)).join(''),
    ...names.map(name => name.padEnd(width) + visitors.map(visitor => row(name, visitor).padEnd(column)).join('')),
  ]
    .map(line => line.trimEnd())
    .join('\n')
}
