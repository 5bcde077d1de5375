import type { Bus, Table } from '@filmgate/kit/bus/bus'
import type { Log } from '@filmgate/kit/telemetry/log'
import { declareValues, gauge } from '@filmgate/kit/telemetry/metrics'
import type { CatalogEvent } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { decode, topicName, topics } from '@filmgate/proto/topics'
import type { Routing } from './routing'

export type CardCheck = { passed(): boolean; stop(): Promise<void> }

/**
 * Reads every card and names what has no route, or no word at its maker. A fault found at the start keeps the dispatcher unready, so
 * that a rollout stops before it; one that comes later is logged and counted, and the connector refuses what it can't say.
 */
export function checkCards({ bus, topicPrefix, routing, log }: { bus: Bus; topicPrefix: string; routing: Routing; log: Log }): CardCheck {
  const faults = new Map<string, string[]>()
  let passed = false
  gauge('dispatcher_unrouted_card_values', 'Values of cards that no configured maker has a word for', () =>
    [...faults].map(([model, own]) => ({ value: own.length, attributes: { model } })),
  )
  const table: Table = bus.readTable<CatalogEvent['event']>({
    topic: topicName(topicPrefix, 'catalog'),
    read: bytes => decode(topics.catalog.schema, bytes).event,
    apply(key, event) {
      declareValues('model', [key])
      const found = event?.case === 'modelCard' ? cardFaults(routing, event.value) : []
      faults.set(key, found)
      if (found.length > 0) log.error({ model: key, faults: found }, 'this card can’t be dispatched')
    },
  })
  return {
    passed() {
      passed ||= table.ready() && [...faults.values()].every(found => found.length === 0)
      return passed
    },
    stop: table.stop,
  }
}

type Card = Extract<CatalogEvent['event'], { case: 'modelCard' }>['value']

function cardFaults(routing: Routing, card: Card): string[] {
  const routes = routing.routesOf(card.model)
  if (routes.length === 0) return ['no maker of its routes is configured']
  return routes.flatMap(({ connector }) => connector.unmapped(card).map(value => `${value} has no word at ${connector.maker}`))
}
