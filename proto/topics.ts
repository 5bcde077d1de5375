import { create, type DescMessage, fromBinary, type MessageInitShape, type MessageShape, toBinary } from '@bufbuild/protobuf'
import { CallbacksEventSchema } from './gen/filmgate/v1/callbacks_pb'
import { CatalogEventSchema } from './gen/filmgate/v1/catalog_pb'
import { CreditsEventSchema } from './gen/filmgate/v1/credits_pb'
import { GenerationsEventSchema } from './gen/filmgate/v1/generations_pb'
import { MediaEventSchema } from './gen/filmgate/v1/media_pb'
import { OffersEventSchema } from './gen/filmgate/v1/offers_pb'
import { RequestsEventSchema } from './gen/filmgate/v1/requests_pb'
import { TasksEventSchema } from './gen/filmgate/v1/tasks_pb'

const day = 86_400_000

/**
 * Every topic of the pipeline: its name behind the prefix, how long its messages stay, whether it is a table (compacted), and the
 * message it carries. The key is the account id everywhere but on the catalog and the offers, where it is the model.
 */
export const topics = {
  catalog: { suffix: 'catalog.v1', retentionMs: -1, compacted: true, schema: CatalogEventSchema },
  offers: { suffix: 'offers.v1', retentionMs: -1, compacted: true, schema: OffersEventSchema },
  requests: { suffix: 'requests.v1', retentionMs: 7 * day, compacted: false, schema: RequestsEventSchema },
  credits: { suffix: 'credits.v1', retentionMs: 7 * day, compacted: false, schema: CreditsEventSchema },
  media: { suffix: 'media.v1', retentionMs: 7 * day, compacted: false, schema: MediaEventSchema },
  generations: { suffix: 'generations.v1', retentionMs: 7 * day, compacted: false, schema: GenerationsEventSchema },
  tasks: { suffix: 'tasks.v1', retentionMs: 7 * day, compacted: false, schema: TasksEventSchema },
  callbacks: { suffix: 'callbacks.v1', retentionMs: 2 * day, compacted: false, schema: CallbacksEventSchema },
} as const

export type TopicName = keyof typeof topics

/** The topic's name on the broker, such as `filmgate.requests.v1`. */
export const topicName = (prefix: string, topic: TopicName): string => `${prefix}.${topics[topic].suffix}`

export const deadLetterTopics = (prefix: string): string[] => Object.keys(topics).map(name => `${topicName(prefix, name as TopicName)}.dlq`)

/** What the broker must hold: every topic and, beside each but the catalog, its dead letters. */
export function topicPlan(prefix: string, partitions: number) {
  const plan = Object.entries(topics).map(([name, { retentionMs, compacted }]) => ({
    topic: topicName(prefix, name as TopicName),
    // A table is small and read whole by everyone: more partitions would only slow its reading.
    partitions: compacted ? 1 : partitions,
    retentionMs,
    compacted,
  }))
  const deadLetters = deadLetterTopics(prefix).map(topic => ({
    topic,
    partitions: 1,
    retentionMs: 30 * day,
    compacted: false,
    // A letter is its message and why it was set aside: the largest message the broker takes (1 MiB) must fit.
    messageBytesMax: 1_179_648,
  }))
  return [...plan, ...deadLetters]
}

/** A message's bytes. Plain objects are accepted in the shape protobuf-es gives them. */
export const encode = <D extends DescMessage>(schema: D, init: MessageInitShape<D>): Uint8Array => toBinary(schema, create(schema, init))

/** Throws on bytes that are not this message; the bus then sets the message aside. */
export const decode = <D extends DescMessage>(schema: D, bytes: Uint8Array): MessageShape<D> => fromBinary(schema, bytes)
