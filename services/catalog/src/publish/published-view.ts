import type { Bus } from '@filmgate/kit/bus/bus'
import type { CatalogEvent, CatalogIndex, ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { decode, topics } from '@filmgate/proto/topics'

/** The topic's current content. */
export type PublishedRows = {
  /** The published versions by model. */
  versions: ReadonlyMap<string, string>
  index(): CatalogIndex | undefined
}

export type PublishedView = PublishedRows & {
  ready(): boolean
  stop(): Promise<void>
}

export const versionsOf = ({ cardVersion, priceVersion }: ModelCard): string => `${cardVersion} ${priceVersion}`

export function followPublished(bus: Pick<Bus, 'readTable'>, topic: string): PublishedView {
  const versions = new Map<string, string>()
  let index: CatalogIndex | undefined
  const table = bus.readTable<CatalogEvent>({
    topic,
    read: bytes => decode(topics.catalog.schema, bytes),
    apply(key, row) {
      if (row?.event.case === 'catalogIndex') index = row.event.value
      else if (row?.event.case === 'modelCard') versions.set(key, versionsOf(row.event.value))
      else versions.delete(key)
    },
  })
  return { ready: table.ready, versions, index: () => index, stop: table.stop }
}
