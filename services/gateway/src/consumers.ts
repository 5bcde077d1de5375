import type { Bus } from '@filmgate/kit/bus/bus'
import { startOnceMigrated } from '@filmgate/kit/database/start-once-migrated'
import type { Log } from '@filmgate/kit/telemetry/log'
import { groupName } from '@filmgate/proto/groups'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import { type FollowedTable, followCatalog } from './catalog/follow-catalog'
import { migrationsFolder } from './database/migrations-folder'
import type { PipelineEvent } from './projection/pipeline-event'
import { type ProjectDeps, project } from './projection/project'

export type ConsumersDeps = ProjectDeps & {
  bus: Pick<Bus, 'consume' | 'readTable'>
  log: Log
  topicPrefix: string
  catalog: FollowedTable
}

/** A reservation is mostly followed by its acceptance within this, and a client that waits to be declined doesn't mind. */
const creditsLingerMs = 20

export type Consumers = { migrated(): boolean; joined(): boolean; stop(): Promise<void> }

/** Reads the catalog and its offers at once, and every event of the pipeline once the tables are there that it is merged into. */
export function startConsumers(deps: ConsumersDeps): Consumers {
  const { sql, log, bus, topicPrefix } = deps
  const cards = followCatalog(bus, topicPrefix, deps.catalog)
  const events = startOnceMigrated({ sql, folder: migrationsFolder, log }, () =>
    bus.consume<PipelineEvent>({
      group: groupName(topicPrefix, 'gateway'),
      topics: {
        [topicName(topicPrefix, 'credits')]: bytes => decode(topics.credits.schema, bytes).event,
        [topicName(topicPrefix, 'media')]: bytes => decode(topics.media.schema, bytes).event,
        [topicName(topicPrefix, 'generations')]: bytes => decode(topics.generations.schema, bytes).event,
      },
      handle: messages => project(deps, messages),
      lingerMs: { [topicName(topicPrefix, 'credits')]: creditsLingerMs },
    }),
  )
  return {
    migrated: () => events.started() !== undefined,
    joined: () => events.started()?.joined() ?? false,
    async stop() {
      await events.stop()
      await cards.stop()
    },
  }
}
