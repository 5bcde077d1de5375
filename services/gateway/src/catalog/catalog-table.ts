import { Failure } from '@filmgate/kit/failure'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { CatalogEvent, CatalogIndex, ModelCard } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { ModelOffer } from '@filmgate/proto/gen/filmgate/v1/offers_pb'
import { offeredCard } from '../offers/offered-card'
import { type CompiledModel, compileCard } from './compile-card'

/** The models that can be asked for now; never changed, only replaced. */
export type Catalog = {
  /** Changes with every card, price and offer. */
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
  /** What can be asked of a model; undefined where nobody says so any more, and the card is offered whole again. */
  applyOffer(model: string, offer: ModelOffer | undefined): void
  /**
   * Whether an order of the model may pass. Where its offer lets only so many pass, this takes one; after the last the model is unavailable until
   * the next offer.
   */
  takeOrder(model: string): boolean
  /** The order that was taken reached no provider: another may pass. */
  giveOrderBack(model: string): void
  /** How many models of the catalog no configured provider has. */
  unavailable(): number
}

const retryAfterSeconds = 2

/** Holds the compiled catalog. It is in force once every model of the index has its card; a broken card leaves the one before it in place. */
export function createCatalogTable(log: Pick<Log, 'info' | 'error'>): CatalogTable {
  const cards = new Map<string, ModelCard>()
  const offers = new Map<string, ModelOffer>()
  const compiled = new Map<string, CompiledModel>()
  /** Of the models whose offer lets only so many orders pass: how many it still does. */
  const ordersLeft = new Map<string, number>()
  let index: CatalogIndex | undefined
  let catalog: Catalog | undefined

  function apply(key: string, row: CatalogEvent | undefined): void {
    const { event } = row ?? {}
    if (event?.case === 'catalogIndex') index = event.value
    else if (event?.case !== 'modelCard') {
      cards.delete(key)
      compiled.delete(key)
    } else if (!compile(event.value)) return
    if (replace()) log.info({ ...versionsOf(catalog), models: catalog?.models.size }, 'catalog in force')
  }

  function applyOffer(model: string, offer: ModelOffer | undefined): void {
    if (offer) offers.set(model, offer)
    else offers.delete(model)
    if (offer && offer.ordersMax > 0) ordersLeft.set(model, offer.ordersMax)
    else ordersLeft.delete(model)
    const card = cards.get(model)
    if (!card || !compile(card) || !replace()) return
    const figures = { model, available: offer?.available, unoffered: offer?.unoffered.length, ...versionsOf(catalog) }
    log.info(figures, 'offer in force')
  }

  function takeOrder(model: string): boolean {
    const left = ordersLeft.get(model)
    if (left === undefined) return true
    if (left === 0) return false
    setOrdersLeft(model, left - 1)
    return true
  }

  function giveOrderBack(model: string): void {
    const left = ordersLeft.get(model)
    if (left !== undefined && left < (offers.get(model)?.ordersMax ?? 0)) setOrdersLeft(model, left + 1)
  }

  /** The first and the last change whether the model is available. */
  function setOrdersLeft(model: string, left: number): void {
    const wasLeft = ordersLeft.get(model)
    ordersLeft.set(model, left)
    const card = cards.get(model)
    if ((wasLeft === 0) !== (left === 0) && card && compile(card)) replace()
  }

  function compile(card: ModelCard): boolean {
    const { model } = card
    try {
      const offered = offeredCard(card, offers.get(model))
      compiled.set(model, compileCard(offered.card, offered.available && ordersLeft.get(model) !== 0))
      cards.set(model, card)
      return true
    } catch (error) {
      log.error({ err: error, model }, 'model card not compiled')
      return false
    }
  }

  function replace(): boolean {
    if (!index) return false
    const models = new Map<string, CompiledModel>()
    for (const name of index.models) {
      const model = compiled.get(name)
      if (!model) return false
      models.set(name, model)
    }
    catalog = { version: versionOf(models), priceVersion: index.priceVersion, defaultModel: index.defaultModel, models }
    return true
  }

  return {
    apply,
    applyOffer,
    takeOrder,
    giveOrderBack,
    loaded: () => catalog !== undefined,
    unavailable: () => [...(catalog?.models.values() ?? [])].filter(({ available }) => !available).length,
    current() {
      if (!catalog) throw new Failure('service_unavailable', { retryAfterSeconds, internal: 'no catalog yet' })
      return catalog
    },
  }
}

const versionsOf = (catalog: Catalog | undefined) => ({ version: catalog?.version, price_version: catalog?.priceVersion })

function versionOf(models: ReadonlyMap<string, CompiledModel>): string {
  const hash = new Bun.CryptoHasher('sha256')
  for (const { id, card, available } of models.values())
    hash.update(`${id} ${card.cardVersion} ${card.priceVersion}${available ? '' : ' not available'}\n`)
  return hash.digest('hex').slice(0, 16)
}
