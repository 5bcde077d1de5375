import type { Bus, Table } from '@filmgate/kit/bus/bus'
import { Failure } from '@filmgate/kit/failure'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { CatalogEvent, CatalogIndex } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import { type CompiledModel, compileCard } from './compile-card'

/** The models that can be asked for now; never changed, only replaced. */
export type Catalog = {
  /** Changes with every card and price. */
  readonly version: string
  readonly priceVersion: string
  readonly defaultModel: string
  readonly models: ReadonlyMap<string, CompiledModel>
}

export type CatalogTable = {
  /** The catalog in force, or the failure service_unavailable while none has arrived: without a card there is no price. */
  current(): Catalog
  loaded(): boolean
  /** A row of the topic; undefined where its key was deleted. */
  apply(key: string, row: CatalogEvent | undefined): void
}

const retryAfterSeconds = 2

/** Holds the compiled catalog. It is in force once every model of the index has its card; a broken card leaves the one before it in place. */
export function createCatalogTable(log: Pick<Log, 'info' | 'error'>): CatalogTable {
  const compiled = new Map<string, CompiledModel>()
  let index: CatalogIndex | undefined
  let catalog: Catalog | undefined

  function apply(key: string, row: CatalogEvent | undefined): void {
    const { event } = row ?? {}
    if (event?.case === 'catalogIndex') index = event.value
    else if (event?.case !== 'modelCard') compiled.delete(key)
    else if (!compile(event.value.model, () => compileCard(event.value))) return
    replace()
  }

  function compile(model: string, make: () => CompiledModel): boolean {
    try {
      compiled.set(model, make())
      return true
    } catch (error) {
      log.error({ err: error, model }, 'a card could not be compiled')
      return false
    }
  }

  function replace(): void {
    if (!index) return
    const models = new Map<string, CompiledModel>()
    for (const name of index.models) {
      const model = compiled.get(name)
      if (!model) return
      models.set(name, model)
    }
    catalog = { version: versionOf(models), priceVersion: index.priceVersion, defaultModel: index.defaultModel, models }
    log.info({ version: catalog.version, price_version: catalog.priceVersion, models: models.size }, 'catalog in force')
  }

  return {
    apply,
    loaded: () => catalog !== undefined,
    current() {
      if (!catalog) throw new Failure('service_unavailable', { retryAfterSeconds, internal: 'no catalog yet' })
      return catalog
    },
  }
}

/** Follows the catalog's topic from its beginning. */
export function followCatalog(bus: Pick<Bus, 'readTable'>, topicPrefix: string, table: Pick<CatalogTable, 'apply'>): Table {
  const read = (bytes: Uint8Array): CatalogEvent => decode(topics.catalog.schema, bytes)
  return bus.readTable({ topic: topicName(topicPrefix, 'catalog'), read, apply: table.apply })
}

function versionOf(models: ReadonlyMap<string, CompiledModel>): string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const { id, card } of models.values()) hash.update(`${id} ${card.cardVersion} ${card.priceVersion}\n`)
  return hash.digest('hex').slice(0, 16)
}
