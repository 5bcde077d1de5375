import { join } from 'node:path'
import type { Addresses } from '../addresses'
import { mustRun } from '../fetch/run'
import { root } from '../instance'

/** One machine serves few consumers; every partition more costs each of them at every fetch. */
const partitions = 4

/** The declarative command that the chart runs too, so that the stack can't differ from the cluster. */
export async function applyTopics({ kafkaBrokers }: Addresses): Promise<void> {
  const command = [process.execPath, join(root, 'services/kit/bin/topics.ts')]
  await mustRun('Creating the Kafka topics', command, {
    env: { KAFKA_BROKERS: kafkaBrokers, FILMGATE_PARTITIONS: process.env.FILMGATE_PARTITIONS ?? String(partitions) },
    timeoutMs: 60_000,
  })
}
