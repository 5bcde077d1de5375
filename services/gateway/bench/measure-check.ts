import { createBus } from '@filmgate/kit/bus/bus'
import { pause } from '@filmgate/kit/deadline'
import { busVariables } from '@filmgate/kit/environment/service-environment'
import { readVariables } from '@filmgate/kit/environment/variables'
import { createLog } from '@filmgate/kit/telemetry/log'
import { createCatalogTable } from '../src/catalog/catalog-table'
import { checkRequest } from '../src/catalog/check-request'
import { followCatalog } from '../src/catalog/follow-catalog'

/**
 * For the bench: reads bodies by name as a JSON object from standard input and prints, by name, the microseconds of processor time that
 * checking one takes with the catalog that is published. Each is the median of many rounds, after the first have warmed the compiler up.
 */
const roundMs = 20
const rounds = 31
const loadTimeoutMs = 20_000

const config = readVariables(process.env, busVariables)
const log = createLog({ service: 'measure-check', level: 'fatal' })
const bus = createBus({ ...config.kafka, clientId: 'measure-check', log })
const table = createCatalogTable(log)
followCatalog(bus, config.topicPrefix, table)
const deadline = performance.now() + loadTimeoutMs
while (!table.loaded() && performance.now() < deadline) await pause(50)
const catalog = table.current()
await bus.stop()

const bodies: Record<string, unknown> = await Bun.stdin.json()
const figures = Object.entries(bodies).map(([name, body]) => [name, { valid: checkRequest(catalog, body).ok, micros: medianMicros(body) }])
console.log(JSON.stringify(Object.fromEntries(figures)))
process.exit(0)

function medianMicros(body: unknown): number {
  const each = Array.from({ length: rounds }, () => roundMicros(body)).slice(Math.floor(rounds / 3))
  return each.toSorted((a, b) => a - b)[Math.floor(each.length / 2)] ?? 0
}

/** Processor time and not the clock's, so that what else the machine does is not counted. */
function roundMicros(body: unknown): number {
  const before = process.cpuUsage()
  let checks = 0
  for (const startedAt = performance.now(); performance.now() - startedAt < roundMs; checks += 20) {
    for (let turn = 0; turn < 20; turn++) checkRequest(catalog, body)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / checks
}
