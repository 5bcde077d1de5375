import type { Bus, Table } from '@filmgate/kit/bus/bus'
import type { Log } from '@filmgate/kit/telemetry/log'
import { declareValues, gauge } from '@filmgate/kit/telemetry/metrics'
import type { CatalogEvent } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import { lackingEverywhere, mayLack } from './card-values'
import { type Offer, offerOfCard } from './offers/offer-of-card'
import type { Routing } from './routing'

export type CardCheck = {
  passed(): boolean
  /** What can be asked of each card that was read. */
  offers(): ReadonlyMap<string, Offer>
  /** The models that a maker serves, by those of the catalog, and what of each has no word at that maker. */
  servedBy(maker: string): { model: string; lacks: string[] }[]
  /** What would be a fault of some card with these routes and is none with those in force, each with its model. */
  faultsWith(routing: Routing): string[]
  /** Judges every card anew, once other routes are in force. */
  lookAgain(): void
  stop(): Promise<void>
}

/**
 * Reads every card and names the values that have no word at any maker of its routes, though the routing file doesn't say that they may lack
 * one. Such a fault, found at the start, keeps the dispatcher unready, so that a rollout stops before it; one that comes later is logged and
 * counted, and only orders with such a value are refused. A card none of whose makers is configured is no fault while another has one.
 */
export function checkCards({ bus, topicPrefix, routing, log }: { bus: Bus; topicPrefix: string; routing: Routing; log: Log }): CardCheck {
  const faults = new Map<string, string[]>()
  /** By model: whether any maker of its routes is configured. */
  const served = new Map<string, boolean>()
  const servedCount = () => [...served.values()].filter(Boolean).length
  const offers = new Map<string, Offer>()
  const cards = new Map<string, Card>()
  let passed = false
  gauge('dispatcher_unrouted_card_values', 'Values of cards that no configured maker has a word for', () =>
    [...faults].map(([model, own]) => ({ value: own.length, attributes: { model } })),
  )
  gauge('dispatcher_models_unserved', 'Models none of whose makers is configured', () => served.size - servedCount())
  const table: Table = bus.readTable<CatalogEvent['event']>({
    topic: topicName(topicPrefix, 'catalog'),
    read: bytes => decode(topics.catalog.schema, bytes).event,
    apply(key, event) {
      declareValues('model', [key])
      faults.set(key, [])
      served.delete(key)
      offers.delete(key)
      cards.delete(key)
      if (event?.case === 'modelCard') look(key, event.value)
    },
  })

  function look(model: string, card: Card): void {
    cards.set(model, card)
    const isServed = routing.configuredRoutes(card.model).length > 0
    const found = cardFaults(routing, card)
    served.set(model, isServed)
    faults.set(model, found)
    offers.set(model, offerOfCard(routing, card))
    if (!isServed) log.warn({ model }, 'no maker of this card’s routes is configured: it is not offered')
    if (found.length > 0) log.error({ model, faults: found }, 'this card can’t be dispatched')
  }

  return {
    passed() {
      passed ||= table.ready() && (served.size === 0 || servedCount() > 0) && [...faults.values()].every(found => found.length === 0)
      return passed
    },
    offers: () => offers,
    servedBy: maker =>
      [...cards.values()].flatMap(card => {
        const routes = routing.configuredRoutes(card.model).filter(route => route.maker === maker)
        return routes.length > 0 ? [{ model: card.model, lacks: lackingEverywhere(routes, card) }] : []
      }),
    faultsWith: next =>
      [...cards].flatMap(([model, card]) =>
        cardFaults(next, card)
          .filter(fault => !faults.get(model)?.includes(fault))
          .map(fault => `${model}: ${fault}`),
      ),
    lookAgain() {
      for (const [model, card] of cards) look(model, card)
    },
    stop: table.stop,
  }
}

type Card = Extract<CatalogEvent['event'], { case: 'modelCard' }>['value']

/** None where no maker of its routes is configured: then it isn't offered. */
function cardFaults(routing: Routing, card: Card): string[] {
  const routes = routing.configuredRoutes(card.model)
  const makers = [...new Set(routes.map(({ maker }) => maker))]
  const lists = makers.map(maker => [...routing.lacksOf(card.model), ...routing.lacksAt(maker, card.model)])
  return lackingEverywhere(routes, card)
    .filter(name => !lists.every(lacks => mayLack(lacks, name)))
    .map(name => `${name} has no word at ${makers.join(' and ')}`)
}
