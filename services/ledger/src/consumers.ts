import type { Bus, Incoming } from '@filmgate/kit/bus/bus'
import type { Sql } from '@filmgate/kit/database/postgres'
import { startOnceMigrated } from '@filmgate/kit/database/start-once-migrated'
import type { Log } from '@filmgate/kit/telemetry/log'
import { groupName } from '@filmgate/proto/groups'
import { topicName } from '@filmgate/proto/topics'
import type { Instruction } from './books/instruction'
import { migrationsFolder } from './database/migrations-folder'
import { handleEvents } from './posting/handle-events'
import type { PostDeps } from './posting/post'
import { readGeneration, readMedia, readRequest, readRequestInRecovery } from './posting/read-event'

export type ConsumersDeps = PostDeps & { sql: Sql; bus: Pick<Bus, 'consume'>; log: Log; topicPrefix: string; recovering?: boolean }

export type Consumers = {
  /** Whether the tables are there and the consumers started. */
  migrated(): boolean
  /** Whether every consumer is a member of its group. */
  joined(): boolean
  stop(): Promise<void>
}

/** A client waits for its reservation and nobody waits for a verdict's entries, so verdicts are fetched less often, in larger batches. */
const verdictsPollIntervalMs = 100

/**
 * Once the tables are there: consumes requests for credits, and the verdicts of media-probe and of the providers. While databases are brought
 * back verdicts wait on the broker: one about a reservation that is not there again would contradict the books. New requests are decided
 * afterwards.
 */
export function startConsumers(deps: ConsumersDeps): Consumers {
  const { sql, bus, log, topicPrefix } = deps
  const { started, stop } = startOnceMigrated({ sql, folder: migrationsFolder, log }, () => {
    const handle = (messages: Incoming<Instruction | undefined>[]) => handleEvents(deps, messages)
    const requests = bus.consume({
      group: groupName(topicPrefix, 'ledger'),
      topics: { [topicName(topicPrefix, 'requests')]: deps.recovering ? readRequestInRecovery : readRequest },
      handle,
    })
    const verdicts = () =>
      bus.consume({
        group: groupName(topicPrefix, 'ledgerVerdicts'),
        topics: { [topicName(topicPrefix, 'media')]: readMedia, [topicName(topicPrefix, 'generations')]: readGeneration },
        handle,
        pollIntervalMs: verdictsPollIntervalMs,
      })
    const consumers = deps.recovering ? [requests] : [requests, verdicts()]
    return {
      joined: () => consumers.every(consumer => consumer.joined()),
      stop: () => Promise.all(consumers.map(consumer => consumer.stop())),
    }
  })
  return { migrated: () => started() !== undefined, joined: () => started()?.joined() ?? false, stop }
}
