import { openHop } from './bench-kafka'

/** Sends back what arrives, from a process of its own; ends with its standard input. */
const [from = '', to = ''] = process.argv.slice(2)
const hop = await openHop(from, to, value => void hop.send(value))
console.log('ready')
await Bun.stdin.text()
await hop.close()
process.exit(0)
