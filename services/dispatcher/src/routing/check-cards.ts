import type { Bus, Table } from '@filmgate/kit/bus/bus'
import type { Log } from '@filmgate/kit/telemetry/log'
import { declareValues, gauge } from '@filmgate/kit/telemetry/metrics'
import type { CatalogEvent } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import { lackingEverywhere, mayLack } from './card-values'
import type { LiveRouting } from './live-routing'
import { creditMicroUsdOf } from './margins/cases'
import { belowCostSentence, isBelowCost, type Margin, marginsOf } from './margins/margins'
import { type Offer, offerOfCard } from './offers/offer-of-card'
import type { Routing } from './routing'

export type CardCheck = {
  passed(): boolean
  /** What can be asked of each card that was read. */
  offers(): ReadonlyMap<string, Offer>
  /** The models that a provider serves, by those of the catalog, and what of each has no mapping at that provider. */
  servedBy(provider: string): { model: string; lacks: string[] }[]
  /** What the configured providers leave of each card's price. */
  margins(): Margin[]
  /** What a credit is worth, as the card that was read last says. */
  creditMicroUsd(): number
  /** What would be a fault of some card with these routes and is none with those in force, each with its model. */
  faultsWith(routing: Routing): string[]
  /** Judges every card anew, once other routes are in force. */
  lookAgain(): void
  /** Makes the offers anew, once other routes are held. */
  offerAgain(): void
  stop(): Promise<void>
}

/**
 * Reads every card and names the values that have no mapping at any provider of its routes, though the routing files don't say that they may lack
 * one, and the resolutions that are sold below the cost of a route. Such a fault, found at the start, keeps the dispatcher unready, so that a
 * rollout stops before it; one that comes later is logged and counted. Then only orders with a value without a mapping are refused, and a resolution
 * that is sold below cost is no longer offered. A card none of whose providers is configured is no fault while another has one.
 */
export function checkCards({
  bus,
  topicPrefix,
  routing,
  log,
}: {
  bus: Bus
  topicPrefix: string
  routing: LiveRouting
  log: Log
}): CardCheck {
  const faults = new Map<string, string[]>()
  /** By model: whether any provider of its routes is configured. */
  const served = new Map<string, boolean>()
  const servedCount = () => [...served.values()].filter(Boolean).length
  /** By model: what is sold below its cost. */
  const unsold = new Map<string, Margin[]>()
  const offers = new Map<string, Offer>()
  const cards = new Map<string, Card>()
  let passed = false
  gauge('dispatcher_unrouted_card_values', 'Values of cards that no configured provider has a mapping for', () =>
    [...faults].map(([model, own]) => ({ value: own.length, attributes: { model } })),
  )
  gauge('dispatcher_prices_below_cost', 'Modes, resolutions and sounds of cards that are sold below the cost of a route', () =>
    [...unsold].map(([model, own]) => ({ value: own.length, attributes: { model } })),
  )
  gauge('dispatcher_models_unserved', 'Models none of whose providers is configured', () => served.size - servedCount())
  const table: Table = bus.readTable<CatalogEvent['event']>({
    topic: topicName(topicPrefix, 'catalog'),
    read: bytes => decode(topics.catalog.schema, bytes).event,
    apply(key, event) {
      declareValues('model', [key])
      faults.set(key, [])
      unsold.set(key, [])
      served.delete(key)
      offers.delete(key)
      cards.delete(key)
      if (event?.case === 'modelCard') look(key, event.value)
    },
  })

  /** Of what is open or may be tried: where all of it is held, one order at a time. */
  function offer(model: string, card: Card): void {
    const { open, probes } = routing.offeredRoutes(card.model)
    const offered = offerOfCard([...open, ...probes], card, (unsold.get(model) ?? []).map(resolutionName))
    offers.set(model, offered.available && open.length === 0 ? { ...offered, ordersMax: 1 } : offered)
  }

  function look(model: string, card: Card): void {
    cards.set(model, card)
    const isServed = routing.configuredRoutes(card.model).length > 0
    const found = cardFaults(routing, card)
    served.set(model, isServed)
    faults.set(model, found)
    const below = pricesBelowCost(routing, card)
    unsold.set(model, below)
    offer(model, card)
    if (!isServed) log.warn({ model }, 'model not offered: no provider of its routes is configured')
    for (const reason of closedModels(routing, model)) log.warn({ model, reason }, 'a route leads to a model that is no more to be had')
    if (found.length > 0) log.error({ model, faults: found }, 'this card can’t be dispatched')
    if (below.length > 0) log.error({ model, faults: below.map(belowCostSentence) }, 'model priced below cost: not offered in these cases')
  }

  return {
    passed() {
      passed ||=
        table.ready() &&
        (served.size === 0 || servedCount() > 0) &&
        [...faults.values(), ...unsold.values()].every(found => found.length === 0)
      return passed
    },
    offers: () => offers,
    servedBy: provider =>
      [...cards.values()].flatMap(card => {
        const routes = routing.configuredRoutes(card.model).filter(route => route.provider === provider)
        return routes.length > 0 ? [{ model: card.model, lacks: lackingEverywhere(routes, card) }] : []
      }),
    margins: () => [...cards.values()].flatMap(card => marginsOf(card, routing.configuredRoutes(card.model))),
    creditMicroUsd: () => creditMicroUsdOf([...cards.values()].at(-1)?.pricing),
    faultsWith: next =>
      [...cards].flatMap(([model, card]) => {
        const before = [...(faults.get(model) ?? []), ...(unsold.get(model) ?? []).map(belowCostSentence)]
        const after = [...cardFaults(next, card), ...pricesBelowCost(next, card).map(belowCostSentence)]
        return after.filter(fault => !before.includes(fault)).map(fault => `${model}: ${fault}`)
      }),
    lookAgain() {
      for (const [model, card] of cards) look(model, card)
    },
    offerAgain() {
      for (const [model, card] of cards) offer(model, card)
    },
    stop: table.stop,
  }
}

type Card = Extract<CatalogEvent['event'], { case: 'modelCard' }>['value']

/** None where no provider of its routes is configured: then it isn't offered. */
function cardFaults(routing: Routing, card: Card): string[] {
  const routes = routing.configuredRoutes(card.model)
  const providers = [...new Set(routes.map(({ provider }) => provider))]
  const lists = providers.map(provider => [...routing.lacksOf(card.model), ...routing.lacksAt(provider, card.model)])
  return lackingEverywhere(routes, card)
    .filter(name => !lists.every(lacks => mayLack(lacks, name)))
    .map(name => `${name} has no mapping at ${providers.join(' and ')}`)
}

const pricesBelowCost = (routing: Routing, card: Card): Margin[] =>
  marginsOf(card, routing.configuredRoutes(card.model)).filter(isBelowCost)

const resolutionName = ({ asked }: Margin): string => `${asked.mode} resolution ${asked.resolution}`

/** Why models that a card's routes name are no more to be had, each reason once. */
const closedModels = (routing: Routing, model: string): Set<string> =>
  new Set(
    routing.configuredRoutes(model).flatMap(({ connector, model: named = {} }) => {
      const providerModels = typeof named === 'string' ? [named] : Object.values(named)
      return providerModels.flatMap(one => connector.closedModel?.(one) ?? [])
    }),
  )
