import { createBus } from '@filmgate/kit/bus/bus'
import { untilHandled } from '@filmgate/kit/bus/lag/until-handled'
import { type Kept, readSince } from '@filmgate/kit/bus/reading/read-since'
import { createLog } from '@filmgate/kit/telemetry/log'
import { type GroupName, groupName, groups } from '@filmgate/proto/groups'
import { topicName } from '@filmgate/proto/topics'
import { OpsFault } from '../fault'
import type { BrokerSettings } from '../settings'
import { requestsAgain } from './requests-again'

/** What `recover` does with the broker itself. */
export type RecoveryBroker = {
  /** Publishes again what the broker still has of the requests since a moment. Returns how many. */
  republishRequests(since: Date): Promise<number>
  /** Publishes again what the broker still has of the notices for webhooks since a moment, each once. Returns how many. */
  republishNotices(since: Date): Promise<number>
  /** What the broker still has of the decisions about media since a moment. */
  mediaDecisions(since: Date): Promise<Uint8Array[]>
  /** Waits until these groups have handled all that is there by now. Throws where they don't within `handledMsMax`. */
  untilHandled(names: readonly GroupName[], progress: (words: string) => void): Promise<void>
}

const handledMsMax = 3_600_000
const measureEveryMs = 500
const sayEveryMs = 10_000
/** The outbox publishes a transaction's events right after it; the watermark is read after that. */
const outboxMs = 1_000

export const recoveryBroker = ({ kafka, topicPrefix }: BrokerSettings): RecoveryBroker => ({
  async republishRequests(since) {
    const topic = topicName(topicPrefix, 'requests')
    const [requests, credits] = await Promise.all([
      readSince(kafka, topic, since),
      readSince(kafka, topicName(topicPrefix, 'credits'), since),
    ])
    return publishAgain(kafka, topic, requestsAgain(requests, credits))
  },
  async republishNotices(since) {
    const topic = topicName(topicPrefix, 'tasks')
    // An earlier run may have published them again, too.
    const once = new Map((await readSince(kafka, topic, since)).map(kept => [kept.eventId, kept]))
    return publishAgain(kafka, topic, [...once.values()])
  },
  mediaDecisions: async since => (await readSince(kafka, topicName(topicPrefix, 'media'), since)).map(({ value }) => value),
  async untilHandled(names, progress) {
    const followed = names.map(name => ({
      group: groupName(topicPrefix, name),
      topics: groups[name].topics.map(topic => topicName(topicPrefix, topic)),
    }))
    let saidAt = performance.now()
    const say = (left: number) => {
      if (performance.now() - saidAt < sayEveryMs) return
      saidAt = performance.now()
      progress(`${left} messages to be handled by ${names.join(', ')}`)
    }
    await Bun.sleep(outboxMs)
    const left = await untilHandled(kafka, followed, { timeoutMs: handledMsMax, everyMs: measureEveryMs, progress: say })
    if (left > 0)
      throw new OpsFault(
        `${left} messages were not handled by ${names.join(', ')} within an hour: see that the services run, and run it again.`,
      )
  },
})

async function publishAgain(kafka: BrokerSettings['kafka'], topic: string, again: readonly Kept[]): Promise<number> {
  const bus = createBus({ ...kafka, clientId: 'ops', log: createLog({ service: 'ops', level: 'fatal' }) })
  try {
    await bus.publish(again.map(kept => ({ topic, ...kept })))
  } finally {
    await bus.stop()
  }
  return again.length
}
