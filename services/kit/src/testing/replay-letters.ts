import { replayDeadLetters } from '../bus/dead-letters/replay'
import { servers } from '../testing'

/** Replays the letters of the topic it is given and says how far it is, until somebody kills it. */
const [topic = ''] = process.argv.slice(2)
const onProgress = (replayed: number) => void process.stdout.write(`${replayed}\n`)
await replayDeadLetters({ brokers: servers.kafkaBrokers, topics: [`${topic}.dlq`], onProgress })
