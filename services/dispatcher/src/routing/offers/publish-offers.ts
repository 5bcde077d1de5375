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
  /** An offer of so many orders is published again after this: those that it let pass may never have come. */
  renewEveryMs: number
  /** An offer that the topic has held otherwise for so long is published again: who published the other may be gone. */
  correctAfterMs: number
  log: Pick<Log, 'info' | 'warn'>
}

/**
 * Publishes what can be asked for: at the start what differs from what the topic holds, then each offer of its own that changes, unless another
 * replica has published that. Otherwise rarely: two replicas with different keys, as during a roll, would overwrite each other without end.
 */
export function publishOffers({ bus, topicPrefix, offers, mayPublish, log, ...times }: PublishOffersDeps): { stop(): Promise<void> } {
  const { lookEveryMs, renewEveryMs, correctAfterMs } = times
  const topic = topicName(topicPrefix, 'offers')
  const stopping = new AbortController()
  const published = new Map<string, Uint8Array>()
  /** When each was last heard, of whichever replica. */
  const heardAtMs = new Map<string, number>()
  const table: Table = bus.readTable<Uint8Array>({
    topic,
    read: bytes => bytes,
    apply(model, bytes) {
      heardAtMs.set(model, performance.now())
      if (bytes) published.set(model, bytes)
      else published.delete(model)
    },
  })
  /** Since when the topic holds something else than our own offer. */
  const differsSinceMs = new Map<string, number>()
  /** What this process published last, by model; undefined before it first did. */
  let last: ReadonlyMap<string, Uint8Array> | undefined

  async function publishChanges(): Promise<void> {
    if (!mayPublish() || !(last || table.ready())) return
    const given = offers()
    const own = new Map([...given].map(([model, offer]) => [model, bytesOf(offer)]))
    const before = last ?? published
    const isRenewed = (model: string) =>
      (given.get(model)?.ordersMax ?? 0) > 0 && performance.now() - (heardAtMs.get(model) ?? 0) >= renewEveryMs
    const isCorrected = (model: string, value: Uint8Array) => {
      if (same(published.get(model), value)) differsSinceMs.delete(model)
      else if (!differsSinceMs.has(model)) differsSinceMs.set(model, performance.now())
      return performance.now() - (differsSinceMs.get(model) ?? Number.POSITIVE_INFINITY) >= correctAfterMs
    }
    const changed = [...own].filter(([model, value]) => {
      const isNew = !same(before.get(model), value) && !same(published.get(model), value)
      return isCorrected(model, value) || isNew || isRenewed(model)
    })
    const gone = [...before.keys()].filter(model => !own.has(model))
    const messages: Outgoing[] = [...changed, ...gone.map(model => [model, null] as const)].map(([key, value]) => ({ topic, key, value }))
    if (messages.length > 0) {
      await bus.publish(messages)
      for (const [model] of changed) {
        heardAtMs.set(model, performance.now())
        differsSinceMs.delete(model)
      }
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
