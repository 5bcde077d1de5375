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
  /** Broker settings: lag is read over a separate connection. */
  kafka: Omit<LagOptions, 'log' | 'groups' | 'deadLetterTopics'>
  topicPrefix: string
  files: CatalogFiles
  /** The catalog at startup. */
  first: Catalog
  published: PublishedView
  checkFilesEveryMs: number
}

export type Workers = { published(): boolean; stop(): Promise<void> }

/** Publishes file changes, and watches the lag of all consumer groups. */
export function startWorkers({ bus, log, kafka, topicPrefix, files, first, published, checkFilesEveryMs }: WorkersDeps): Workers {
  const topic = topicName(topicPrefix, 'catalog')
  const publish = (catalog: Catalog) => publishCatalog({ bus, topic, published, log, nowMs: Date.now }, catalog)
  const keeper = keepPublished({ files, first, publish, published, checkFilesEveryMs, log })
  gauge('catalog_files_faulty', '1 while changed card or price files are invalid and the earlier publication stays in force', () =>
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
