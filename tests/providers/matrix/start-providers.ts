import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnvFile } from '@filmgate/tools/ops/settings'
import { providers } from '@filmgate/tools/providers'
import { openAccount } from '../../support/client/account'
import { operate } from '../../support/operator/operator'
import { type OwnService, startOwn } from '../../support/servers/own-services'
import { settings } from '../../support/settings'
import { move } from '../../support/stack'
import { defaultRoutes, writeRoutes } from '../default-routes'
import { assignModels, findRequest, routesTo } from './assign-models'
import type { Offers } from './faults'

/** A connector, what it declares, and a request that goes to its provider alone. */
export type Target = { provider: string; offers: Offers; request: Record<string, unknown> }

/** Which no provider outside has. */
const ofTheSimulator = { provider: 'simulator', request: { model: 'zeta-3-video' } }

/** Real behaviour, shorter waits. */
const shortBounds = parseEnvFile(readFileSync(join(import.meta.dir, '../../stack.env'), 'utf8'))

const matrixBounds = {
  // A file without an end, and one that stalls, are given up early: there are dozens of each.
  FILMGATE_OUTPUT_BYTES_MAX: '3000000',
  FILMGATE_OUTPUT_TIMEOUT_MS: '2000',
  FILMGATE_COPIES_MAX: '32',
  FILMGATE_RECOPIES_MAX: '32',
  // Those that vanish do so on purpose.
  FILMGATE_VANISHED_MAX: '1000',
}

export type Providers = {
  targets: Target[]
  /** The one in the place of the stack's. */
  dispatcher: OwnService
  /** One more of the same settings, but for `own`; `number` from 1, for its port. */
  startAnother(number: number, own?: Record<string, string>): Promise<OwnService>
  /** Ends the one in the stack's place and starts it anew, told `own` as well. */
  restart(own: Record<string, string>): Promise<void>
  /** Brings back the stack's. */
  stop(): Promise<void>
}

/** Beyond the ports of the stack's own. */
const portOffset = 35

/**
 * In the place of the stack's dispatcher one with short bounds and these settings, whose routes give each provider a model of its own: the one that is
 * named, or any.
 */
export async function startProviders(own: Record<string, string> = matrixBounds, named?: Map<string, string>): Promise<Providers> {
  const { api } = await openAccount()
  const defaults = defaultRoutes()
  const assigned = named ?? assignModels(Object.keys(providers), defaults)
  const requests = [ofTheSimulator]
  for (const [provider, model] of assigned)
    requests.push({ provider, request: { ...(await findRequest(api, provider, model, defaults)), model } })

  const folder = mkdtempSync(join(tmpdir(), 'filmgate-matrix-'))
  writeRoutes(folder, routesTo(assigned, defaults))
  const env = { ...shortBounds, ...own, FILMGATE_ROUTES_DIR: folder }
  await move('dispatcher', 'stop')
  const back = async () => {
    await move('dispatcher', 'start')
    rmSync(folder, { recursive: true, force: true })
  }
  const start = (changed: Record<string, string> = {}) => startOwn('dispatcher', { ...env, ...changed }, '/readyz')
  const dispatcher = await start().catch(async error => {
    await back()
    throw error
  })
  const started = { targets: [] as Target[], dispatcher }
  const { data } = await operate<{ data: { provider: string; capabilities?: Offers }[] }>('dispatcher', 'GET', '/providers')
  started.targets = requests.flatMap(one => {
    const offers = data.find(({ provider }) => provider === one.provider)?.capabilities
    return offers ? [{ ...one, offers }] : []
  })
  return Object.assign(started, {
    startAnother: (number: number, changed = {}) => start({ ...changed, PORT: String(settings.portBase + portOffset + number) }),
    async restart(changed: Record<string, string>) {
      await started.dispatcher.stop()
      started.dispatcher = await start(changed)
    },
    async stop() {
      await started.dispatcher.stop()
      await back()
    },
  })
}
