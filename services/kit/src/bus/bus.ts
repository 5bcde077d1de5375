import type { ISocketFactory } from 'kafkajs'
import type { Log } from '../telemetry/log'
import { type Consumer, startConsumer } from './consumer'
import type { Outgoing } from './message'
import { type KafkaAccess, openKafka } from './open-kafka'
import { createPublisher } from './publishing/publisher'
import type { Subscription } from './subscription'
import { readTable, type Table, type TableOptions } from './table'

export type { Consumer } from './consumer'
export type { Incoming, Outgoing } from './message'
export { isMessagesFault, isTopicsFault } from './publishing/messages-fault'
export type { Subscription } from './subscription'
export type { Table, TableOptions } from './table'
export { UnprocessableMessage } from './unprocessable-message'

export type BusOptions = KafkaAccess & {
  clientId: string
  log: Log
  /** How a connection to a broker is opened; a plain socket where it is not given. */
  socketFactory?: ISocketFactory
}

export type Bus = {
  /** Resolves when the broker has the messages on its in-sync replicas; rejects when it is not known to. */
  publish(messages: Outgoing[]): Promise<void>
  consume<T>(subscription: Subscription<T>): Consumer
  readTable<T>(options: TableOptions<T>): Table
  /** Whether the broker answered lately; asked once a second when nothing is published. */
  connected(): boolean
  stop(): Promise<void>
}

/** The only way to Kafka. kafkajs stays behind this folder, so that it could be swapped. */
export function createBus({ clientId, log, socketFactory, ...access }: BusOptions): Bus {
  const kafka = openKafka(access, {
    clientId,
    connectionTimeout: 2_000,
    requestTimeout: 10_000,
    retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 1_000 },
    ...(socketFactory && { socketFactory }),
  })
  const publisher = createPublisher(kafka, log)
  const consumers = new Set<Consumer>()
  const tables = new Set<Table>()
  return {
    publish: publisher.publish,
    connected: publisher.connected,
    consume(subscription) {
      const consumer = startConsumer(kafka, publisher.publish, log, subscription)
      consumers.add(consumer)
      return consumer
    },
    readTable(options) {
      const table = readTable(kafka, clientId, log, options)
      tables.add(table)
      return table
    },
    async stop() {
      await Promise.all([...consumers, ...tables].map(reader => reader.stop()))
      await publisher.stop()
    },
  }
}
