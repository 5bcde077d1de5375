import type { ISocketFactory } from 'kafkajs'
import { type Consumer, startConsumer } from './bus/consumer'
import type { Outgoing } from './bus/message'
import { type KafkaAccess, openKafka } from './bus/open-kafka'
import { createPublisher } from './bus/publisher'
import type { Subscription } from './bus/subscription'
import { readTable, type Table, type TableOptions } from './bus/table'
import type { Log } from './log'

export type { Consumer } from './bus/consumer'
export type { Incoming, Outgoing } from './bus/message'
export { isMessagesFault, isTopicsFault } from './bus/messages-fault'
export type { Subscription } from './bus/subscription'
export type { Table, TableOptions } from './bus/table'
export { UnprocessableMessage } from './bus/unprocessable-message'

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

/** The one door to Kafka. kafkajs stays behind this folder, so that it could be swapped. */
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
      await Promise.all([...consumers, ...tables].map(part => part.stop()))
      await publisher.stop()
    },
  }
}
