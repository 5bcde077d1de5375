import type { Bus } from '@filmgate/kit/bus/bus'
import { type LagOptions, watchLag } from '@filmgate/kit/bus/lag/watch-lag'
import type { Log } from '@filmgate/kit/telemetry/log'
import { gauge } from '@filmgate/kit/telemetry/metrics'
import { groupPlan } from '@filmgate/proto/groups'
import { deadLetterTopics, topicName } from '@filmgate/proto/topics'
import type { Catalog, CatalogFiles } from './catalog/load-catalog'
import { keepPublished } from './publish/keep-published'
import { publishCatalog } from './publish/publish-catalog'
import type { PublishedView } from './publish/published-view'

export type WorkersDeps = {
  bus: Pick<Bus, 'publish'>
  log: Log
  /** How the broker is reached: the lag is asked of it by a connection of its own. */
  kafka: Omit<LagOptions, 'log' | 'groups' | 'deadLetterTopics'>
  topicPrefix: string
  files: CatalogFiles
  /** As the files were when the service started. */
  first: Catalog
  published: PublishedView
  checkFilesEveryMs: number
}

export type Workers = { published(): boolean; stop(): Promise<void> }

/** Keeps what is published as the files say, and watches the lag of every consumer group. */
export function startWorkers({ bus, log, kafka, topicPrefix, files, first, published, checkFilesEveryMs }: WorkersDeps): Workers {
  const topic = topicName(topicPrefix, 'catalog')
  const publish = (catalog: Catalog) => publishCatalog({ bus, topic, published, log, nowMs: Date.now }, catalog)
  const keeper = keepPublished({ files, first, publish, published, checkFilesEveryMs, log })
  gauge('catalog_files_faulty', '1 while the changed card or price files have slips and what was published before stays in force', () =>
    keeper.areFilesValid() ? 0 : 1,
  )
  const lag = watchLag({ ...kafka, log, groups: groupPlan(topicPrefix), deadLetterTopics: deadLetterTopics(topicPrefix) })
  return {
    published: keeper.published,
    async stop() {
      await lag.stop()
      await keeper.stop()
    },
  }
}
