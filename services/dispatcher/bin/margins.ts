import { fromJsonString } from '@bufbuild/protobuf'
import { ModelCardSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import { ownRoutes } from '../src/config'
import type { Connector } from '../src/providers/connector'
import { simulatorFields } from '../src/providers/simulator/request-body'
import { belowCostSentence, isBelowCost, marginsOf } from '../src/routing/margins/margins'
import { marginRows } from '../src/routing/margins/margins-view'
import { readRoutes } from '../src/routing/read-routes'
import { createRouting } from '../src/routing/routing'

/**
 * Reads cards as services/catalog/bin/cards.ts prints them, and prints as JSON what each provider of the routes leaves of their prices, as if all
 * were configured: `rows`, and `faults`: prices below a cost, and routes that don't say what they cost.
 */
const table = readRoutes([ownRoutes])
const providers = [...new Set([...Object.values(table.models), table.default].flat().map(({ provider }) => provider))]
const cards = (await Bun.stdin.text())
  .trim()
  .split('\n')
  .map(line => fromJsonString(ModelCardSchema, line))
const routing = createRouting(table, providers.map(connectorOf))
const margins = cards.flatMap(card => marginsOf(card, routing.configuredRoutes(card.model)))
const unnamed = margins.filter(({ basis }) => basis === 'unnamed')
const faults = [
  ...margins.filter(isBelowCost).map(margin => `${margin.model} ${belowCostSentence(margin)}`),
  ...unnamed.map(
    ({ model, provider, asked }) =>
      `${model} ${asked.mode} ${asked.resolution}: its route to ${provider} names neither a price for it nor \`unknown\``,
  ),
]
console.log(JSON.stringify({ rows: marginRows(margins), faults }))

/** Only what routes are read with; nobody is called. */
function connectorOf(provider: string): Connector {
  const isSimulator = provider === 'simulator'
  return { provider, capabilities: { standsIn: isSimulator }, ...(isSimulator && { fields: simulatorFields }) } as unknown as Connector
}
