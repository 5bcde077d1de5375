import { readArguments } from '../stack/command/arguments'
import { explain, StackFault } from '../stack/fault'
import { capacityTable } from './model'

const usage = `Usage: bun run capacity --rate N[,N…]

Prints what so many requests a second need, of which every fourth makes a video: docs/capacity.md has the formulas.`

try {
  const { values } = readArguments({ args: process.argv.slice(2), options: { rate: { type: 'string', default: '10,100,1000' } } }, usage)
  const rates = values.rate.split(',').map(Number)
  if (!rates.every(rate => rate > 0)) throw new StackFault(`--rate is a number above 0, not ${values.rate}\n\n${usage}`)
  console.log(capacityTable(rates))
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}
