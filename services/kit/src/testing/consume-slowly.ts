import { createBus } from '../bus/bus'
import { servers, testLog } from '../testing'

/** A process of its own that consumes a group and never finishes a batch: `bun consume-slowly.ts TOPIC GROUP`. Says "got" when it has one. */
const [topic = '', group = ''] = process.argv.slice(2)
const bus = createBus({ brokers: servers.kafkaBrokers, clientId: 'slow', log: testLog })
bus.consume({
  group,
  topics: { [topic]: bytes => bytes },
  handle: () => {
    console.log('got')
    return new Promise(() => {})
  },
})
