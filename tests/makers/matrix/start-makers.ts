import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makers } from '@filmgate/tools/makers'
import { parseEnvFile } from '@filmgate/tools/ops/settings'
import { openAccount } from '../../support/client/account'
import { operate } from '../../support/operator/operator'
import { startOwn } from '../../support/servers/own-services'
import { move } from '../../support/stack'
import { assignModels, defaultRoutes, findRequest, routesTo } from './assign-models'
import type { Offers } from './faults'

/** A connector, what it declares, and a request that goes to its maker alone. */
export type Target = { maker: string; offers: Offers; request: Record<string, unknown> }

/** Which no maker outside has. */
const ofTheSimulator = { maker: 'simulator', request: { model: 'zeta-3-video' } }

const bounds = {
  ...parseEnvFile(readFileSync(join(import.meta.dir, '../../stack.env'), 'utf8')),
  // A file without an end, and one that stalls, are given up early: there are dozens of each.
  FILMGATE_OUTPUT_BYTES_MAX: '3000000',
  FILMGATE_OUTPUT_TIMEOUT_MS: '2000',
  FILMGATE_COPIES_MAX: '32',
  FILMGATE_RECOPIES_MAX: '32',
  // Those that vanish do so on purpose.
  FILMGATE_VANISHED_MAX: '1000',
}

/** In the place of the stack's dispatcher one with short bounds, whose routes give each maker a model of its own. `stop` brings back the stack's. */
export async function startMakers(): Promise<{ targets: Target[]; stop(): Promise<void> }> {
  const { api } = await openAccount()
  const file = await defaultRoutes()
  const assigned = assignModels(Object.keys(makers), file)
  const requests = [ofTheSimulator]
  for (const [maker, model] of assigned) requests.push({ maker, request: { ...(await findRequest(api, maker, model, file)), model } })

  const folder = mkdtempSync(join(tmpdir(), 'filmgate-matrix-'))
  const routes = join(folder, 'routes.json')
  await Bun.write(routes, JSON.stringify(routesTo(assigned, file)))
  await move('dispatcher', 'stop')
  const back = async () => {
    await move('dispatcher', 'start')
    rmSync(folder, { recursive: true, force: true })
  }
  const dispatcher = await startOwn('dispatcher', { ...bounds, FILMGATE_ROUTES_FILE: routes }, '/readyz').catch(async error => {
    await back()
    throw error
  })
  const stop = async () => {
    await dispatcher.stop()
    await back()
  }
  const { data } = await operate<{ data: { maker: string; capabilities?: Offers }[] }>('dispatcher', 'GET', '/makers')
  const targets = requests.flatMap(one => {
    const offers = data.find(({ maker }) => maker === one.maker)?.capabilities
    return offers ? [{ ...one, offers }] : []
  })
  return { targets, stop }
}
