import { fromJsonString } from '@bufbuild/protobuf'
import { ModelCardSchema } from '@filmgate/proto/gen/filmgate/v1/catalog_pb'
import type { Connector } from '../src/makers/connector'
import { simulatorWords } from '../src/makers/simulator/request-body'
import { belowCostSentence, isBelowCost, marginsOf } from '../src/routing/margins/margins'
import { marginRows } from '../src/routing/margins/margins-view'
import { readRoutes } from '../src/routing/read-routes'
import { createRouting } from '../src/routing/routing'

/**
 * Reads cards as services/catalog/bin/cards.ts prints them, and prints as JSON what each maker of the routing file leaves of their prices, as if all
 * were configured: `rows`, and `faults`: prices below a cost, and routes that don't say what they cost.
 */
const file = readRoutes(process.argv[2])
const makers = [...new Set([...Object.values(file.models), file.default].flat().map(({ maker }) => maker))]
const cards = (await Bun.stdin.text())
  .trim()
  .split('\n')
  .map(line => fromJsonString(ModelCardSchema, line))
const routing = createRouting(file, makers.map(connectorOf))
const margins = cards.flatMap(card => marginsOf(card, routing.configuredRoutes(card.model)))
const unnamed = margins.filter(({ basis }) => basis === 'unnamed')
const faults = [
  ...margins.filter(isBelowCost).map(margin => `${margin.model} ${belowCostSentence(margin)}`),
  ...unnamed.map(
    ({ model, maker, asked }) =>
      `${model} ${asked.mode} ${asked.resolution}: its route to ${maker} names neither a price for it nor \`unknown\``,
  ),
]
console.log(JSON.stringify({ rows: marginRows(margins), faults }))

/** Only what a routing file is read with; nobody is called. */
function connectorOf(maker: string): Connector {
  const isSimulator = maker === 'simulator'
  return { maker, capabilities: { standsIn: isSimulator }, ...(isSimulator && { words: simulatorWords }) } as unknown as Connector
}
