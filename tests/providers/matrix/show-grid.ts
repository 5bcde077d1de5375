import { faults } from './faults'
import { type Cell, retries } from './run-cell'
import type { Target } from './start-providers'

const letters: Record<string, string> = {
  completed: 'C',
  review: 'R',
  prompt_rejected: 'P',
  generation_unavailable: 'U',
  generation_failed: 'F',
  output_moderated: 'M',
  output_unavailable: 'O',
}

const nameWidth = 46
const columnWidth = 12

/** A line a fault, a column a provider, and in it the end of each way of sending; `!` behind one that isn't as specified. */
export function showGrid(targets: Target[], cells: Cell[]): void {
  const byPlace = Map.groupBy(cells, ({ target, fault }) => `${target.provider} ${fault}`)
  const letterOf = ({ end, wrong }: Cell) => `${letters[end] ?? '?'}${wrong.length > 0 ? '!' : ''}`
  const ordered = (own: Cell[]) => own.toSorted((a, b) => retries.indexOf(a.retries) - retries.indexOf(b.retries))
  console.log(`\nA provider that …, sent again: ${retries.join(', ')}`)
  console.log(`${''.padEnd(nameWidth)}${targets.map(({ provider }) => provider.padEnd(columnWidth)).join('')}`)
  for (const fault of Object.keys(faults)) {
    const columns = targets.map(({ provider }) =>
      ordered(byPlace.get(`${provider} ${fault}`) ?? [])
        .map(letterOf)
        .join(' ')
        .padEnd(columnWidth),
    )
    console.log(`${fault.padEnd(nameWidth)}${columns.join('')}`)
  }
  console.log(
    `${Object.entries(letters)
      .map(([end, letter]) => `${letter} ${end}`)
      .join(', ')}; ! is not as specified\n`,
  )
}
