import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { providers } from '@filmgate/tools/providers'
import { openAccount } from '../../support/client/account'
import { type OwnService, startOwn } from '../../support/servers/own-services'
import { settings } from '../../support/settings'
import { move } from '../../support/stack'
import { defaultRoutes, writeRoutes } from '../default-routes'
import { findRequest, routesAt } from '../matrix/assign-models'
import { type SwitchedProvider, startSwitchedProvider } from './switched-provider'

/** How long an open review counts towards the unfinished tasks of its account. */
export const reviewCountsMs = 120_000

/** As in production, but for that bound. An empty one is the default. */
const own = {
  FILMGATE_SUBMIT_HOLDS: '',
  FILMGATE_REVIEW_COUNTS_MAX_MS: String(reviewCountsMs),
  FILMGATE_OUTPUT_TIMEOUT_MS: '20000',
}

/** Beyond the ports of the stack's own. */
const portOffset = 35
const dispatcherCount = 3
/** What `either` is made by where fal gets no orders. */
const otherProvider = 'ark'

export type Pipeline = {
  /** The only route of the model `alone`, and the first of `either`. */
  fal: SwitchedProvider
  requests: { alone: Record<string, unknown>; either: Record<string, unknown> }
  dispatchers: OwnService[]
  stop(): Promise<void>
}

/** The stack's ledger with the limit of unfinished tasks, and three dispatchers in the place of the stack's, with fal switched. */
export async function startPipeline(): Promise<Pipeline> {
  const { api } = await openAccount()
  const defaults = defaultRoutes()
  const { models } = defaults
  const ofFal = Object.keys(models).filter(model => models[model]?.routes.some(isOf('fal')))
  const either = ofFal.find(model => models[model]?.routes.some(isOf(otherProvider))) ?? ''
  const alone = ofFal.find(model => model !== either) ?? ''
  const requests = { alone: await findRequest(api, 'fal', alone, defaults), either: await findRequest(api, 'fal', either, defaults) }
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-holds-'))
  writeRoutes(folder, { [alone]: routesAt(models[alone], 'fal'), [either]: routesAt(models[either], 'fal', otherProvider) })
  const fal = startSwitchedProvider(providers.fal.fakePath)
  const running: OwnService[] = []
  const start = async (service: string, changed: Record<string, string>) => {
    const started = await startOwn(service, changed, '/readyz')
    running.push(started)
    return started
  }
  const stop = async () => {
    await Promise.all(running.map(service => service.stop()))
    await fal.stop()
    await Promise.all([move('dispatcher', 'start'), move('ledger', 'start')])
    rmSync(folder, { recursive: true, force: true })
  }
  await Promise.all([move('dispatcher', 'stop'), move('ledger', 'stop')])
  try {
    await start('ledger', { FILMGATE_UNFINISHED_TASKS_MAX: '' })
    const env = { ...own, FILMGATE_ROUTES_DIR: folder, [providers.fal.url]: fal.url }
    const numbers = Array.from({ length: dispatcherCount }, (_, number) => number)
    const dispatchers = await Promise.all(
      numbers.map(number => start('dispatcher', { ...env, ...(number > 0 && { PORT: String(settings.portBase + portOffset + number) }) })),
    )
    return { fal, requests, dispatchers, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const isOf =
  (provider: string) =>
  (route: { provider: string; mode?: string }): boolean =>
    route.provider === provider && route.mode === 'text-to-video'
