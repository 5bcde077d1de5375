import type { Bus, Outgoing, Table } from '@filmgate/kit/bus/bus'
import { backoffMs, pause } from '@filmgate/kit/deadline'
import type { Log } from '@filmgate/kit/telemetry/log'
import { encode, topicName, topics } from '@filmgate/proto/topics'
import type { Offer } from './offer-of-card'

export type PublishOffersDeps = {
  bus: Pick<Bus, 'publish' | 'readTable'>
  topicPrefix: string
  /** Of every card that was read, by model. */
  offers(): ReadonlyMap<string, Offer>
  /** False while the cards aren't read, or a slip keeps this dispatcher back: what others offer then stands. */
  mayPublish(): boolean
  lookEveryMs: number
  log: Pick<Log, 'info' | 'warn'>
}

/**
 * Publishes what can be asked for: at the start what differs from what the topic holds, then each offer of its own that changes. Only then:
 * two replicas with different keys, as during a roll, would otherwise overwrite each other without end.
 */
export function publishOffers({ bus, topicPrefix, offers, mayPublish, lookEveryMs, log }: PublishOffersDeps): { stop(): Promise<void> } {
  const topic = topicName(topicPrefix, 'offers')
  const stopping = new AbortController()
  const published = new Map<string, Uint8Array>()
  const table: Table = bus.readTable<Uint8Array>({
    topic,
    read: bytes => bytes,
    apply: (model, bytes) => void (bytes ? published.set(model, bytes) : published.delete(model)),
  })
  /** What this process published last, by model; undefined before it first did. */
  let last: ReadonlyMap<string, Uint8Array> | undefined

  async function publishChanges(): Promise<void> {
    if (!mayPublish() || !(last || table.ready())) return
    const own = new Map([...offers()].map(([model, offer]) => [model, bytesOf(offer)]))
    const before = last ?? published
    const changed = [...own].filter(([model, value]) => !same(before.get(model), value))
    const gone = [...before.keys()].filter(model => !own.has(model))
    const messages: Outgoing[] = [...changed, ...gone.map(model => [model, null] as const)].map(([key, value]) => ({ topic, key, value }))
    if (messages.length > 0) {
      await bus.publish(messages)
      log.info({ models: own.size, changed: changed.map(([model]) => model), gone }, 'offers published')
    }
    last = own
  }

  async function run(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        await publishChanges()
        failures = 0
      } catch (error) {
        failures += 1
        log.warn({ err: error }, 'offers not published')
      }
      await pause(failures === 0 ? lookEveryMs : backoffMs(failures, lookEveryMs, 5_000), stopping.signal)
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await Promise.all([running, table.stop()])
    },
  }
}

const bytesOf = (offer: Offer): Uint8Array => encode(topics.offers.schema, { event: { case: 'modelOffer', value: offer } })

const same = (one: Uint8Array | undefined, other: Uint8Array): boolean => one !== undefined && Buffer.compare(one, other) === 0
