import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { providers } from '@filmgate/tools/providers'
import { startOwn } from '../support/servers/own-services'
import { settings } from '../support/settings'
import type { Report } from '../support/suite/report'
import { until } from '../support/until'
import { defaultRoutes, writeRoutes } from './default-routes'

/** Beyond the ports of the stack's own. */
const portOffset = 35

/**
 * With one provider's key and nothing else a dispatcher is ready: every value of every card that has a route there has a word there, or the
 * routing files say that it may lack one. Without the lists of lacks it is not ready, so that they are known to be what makes it so.
 */
export async function proveRoutes(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-routes-'))
  const models = Object.entries(defaultRoutes().models).map(([model, { routes }]) => [model, { routes }])
  writeRoutes(folder, Object.fromEntries(models))
  for (const provider of Object.keys(providers)) await proveProvider(report, provider, folder)
  rmSync(folder, { recursive: true, force: true })
  await proveLastWord(report)
}

/** What those with one key alone left of the offers, one with all keys offers again: the dispatcher that started last has the last word. */
async function proveLastWord(report: Report): Promise<void> {
  const unavailable = async () => metric(await (await fetch(settings.gatewayMetricsUrl)).text(), 'catalog_models_unavailable')
  await until('a model to be no longer offered', async () => (await unavailable()) > 0)
  const dispatcher = await startOwn('dispatcher', { PORT: String(settings.portBase + portOffset) }, '/readyz')
  const all = await until('every model to be offered again', async () => (await unavailable()) === 0).catch(unavailable)
  report.check('a dispatcher with all keys that starts last has the last word on what is offered', all === true, String(all))
  await dispatcher.stop()
}

async function proveProvider(report: Report, provider: string, strictRoutes: string): Promise<void> {
  const others = Object.entries(providers).flatMap(([name, { key }]) => (name === provider ? [] : [[key, '']]))
  const alone = { ...Object.fromEntries(others), FILMGATE_SIMULATOR_URL: '', PORT: String(settings.portBase + portOffset) }
  const dispatcher = await startOwn('dispatcher', alone, '/readyz')
  const metrics = await (await fetch(`${dispatcher.url}/metrics`)).text()
  report.check(`a dispatcher with ${provider} alone is ready`, true)
  report.figure(`routes.${provider}.unserved_models`, metric(metrics, 'dispatcher_models_unserved'))
  await dispatcher.stop()

  const strict = await startOwn('dispatcher', { ...alone, FILMGATE_ROUTES_DIR: strictRoutes }, '/healthz')
  const values = await until('the unmapped values to be counted', async () => (await countUnmappedValues(strict.url)) || undefined)
  const ready = await fetch(`${strict.url}/readyz`)
  report.check(`with ${provider} alone and without the lists of lacks it is not`, ready.status === 503, `${ready.status}, ${values} values`)
  await strict.stop()
}

const metric = (metrics: string, name: string): number => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1])

async function countUnmappedValues(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return [...metrics.matchAll(/^dispatcher_unrouted_card_values\{[^}]*\} (\d+)/gm)].reduce((sum, [, count]) => sum + Number(count), 0)
}
