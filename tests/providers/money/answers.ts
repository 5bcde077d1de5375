import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { providers as outside } from '@filmgate/tools/providers'
import { audit } from '../../support/operator/operator'
import { scrape } from '../../support/servers/metrics'
import { startOwn } from '../../support/servers/own-services'
import { settings } from '../../support/settings'
import { type Behaviour, simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import type { End, Offers } from '../matrix/faults'
import { shownEnd } from '../matrix/run-cell'
import { type Providers, startProviders, type Target } from '../matrix/start-providers'
import { absentOrReview, completed, foundOrReview } from './ends'
import { release } from './gone'
import { buyShown, type Placed, passVisibility, place, statesOf, taskIdOf } from './order'
import { reservationsOf } from './reservations'

/** Fewer than what the breaker of many that vanish at once would hold by itself. */
const runningOfEach = 2
const visibilityMs = 6_000
const bounds = {
  SIMULATOR_VISIBILITY_MS: String(visibilityMs),
  FILMGATE_GENERATION_TIMEOUT_MS: '3600000',
  FILMGATE_OUTPUT_RETRY_FOR_MS: '3600000',
}
/** In which a look-up that is believed would have proved absence several times over. */
const lastsMs = 4 * visibilityMs
const alertMsMax = 120_000
const endMsMax = 240_000
/** Runware says of a task that it never saw what it says of one that it hasn't begun, which is nothing: only a refused key can be told from that. */
const silent = 'runware'

type InFlight = { placed: Placed; taskId: string; end: (offers: Offers) => End }

/** What a dispatcher is told, and what is done before and after. `isSilent`: nothing is what providers say. */
type Scenario = {
  name: string
  env?: Record<string, string>
  begin?: () => Promise<unknown>
  end?: () => Promise<unknown>
  takesOrders: boolean
  isSilent: boolean
}

/** Every provider answers empty, or in somebody else's name, to everything that is in flight: nothing is refunded, and each provider's alert is raised once. */
export async function proveAnswers(report: Report): Promise<void> {
  const providers = await startProviders(bounds)
  const other = await startOtherProject()
  try {
    await buyShown(providers.targets)
    const stoppedAt = Date.now()
    const inFlight = (
      await Promise.all(Array.from({ length: runningOfEach }, () => put(providers.targets, [{ name: 'never_finishes' }], completed)))
    ).flat()
    await until(
      'all to be accepted',
      async () => (await statesOf(inFlight.map(({ placed }) => placed))).every(state => state === 'accepted'),
      endMsMax,
    )
    await passVisibility()
    for (const scenario of scenariosOf(other.url, stoppedAt)) await runScenario(report, providers, scenario, inFlight)
    await proveEnds(report, providers, inFlight)
  } finally {
    await simulator.show('all')
    await other.stop()
    await providers.stop()
  }
  const findings = await audit()
  report.check('the books are whole', findings.length === 0, JSON.stringify(findings))
}

const wrongKey = 'the-key-of-somebody-else-altogether'

function scenariosOf(otherUrl: string, stoppedAt: number): Scenario[] {
  const keys = Object.values(outside).map(({ key }) => [key, wrongKey])
  const urls = Object.values(outside).map(({ url, fakePath }) => [url, `${otherUrl}${fakePath}`])
  const showsAll = () => simulator.show('all')
  return [
    { name: 'nothing', begin: () => simulator.show('nothing'), end: showsAll, takesOrders: true, isSilent: true },
    {
      name: 'a replica that stands still',
      begin: () => simulator.showOlder(Date.now() - stoppedAt),
      end: showsAll,
      takesOrders: true,
      isSilent: true,
    },
    { name: 'a wrong key', env: { ...Object.fromEntries(keys), SIMULATOR_KEY: wrongKey }, takesOrders: false, isSilent: false },
    { name: 'another project', env: { ...Object.fromEntries(urls), FILMGATE_SIMULATOR_URL: otherUrl }, takesOrders: false, isSilent: true },
  ]
}

/** A provider of the same formats and keys that has never heard of us. */
async function startOtherProject(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-other-project-'))
  const port = String(settings.portBase + 38)
  const service = await startOwn('simulator', { PORT: port, SIMULATOR_DATA_DIR: folder }, '/readyz')
  const stop = async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: service.url, stop }
}

async function put(targets: Target[], behaviours: Behaviour[], end: InFlight['end']): Promise<InFlight[]> {
  const placed = await Promise.all(targets.map(target => place(target, behaviours)))
  return Promise.all(placed.map(async one => ({ placed: one, taskId: await taskIdOf(one), end })))
}

async function runScenario(report: Report, providers: Providers, scenario: Scenario, inFlight: InFlight[]): Promise<void> {
  const { name, env = {}, begin, end, takesOrders, isSilent } = scenario
  await begin?.()
  await providers.restart(env)
  const startedAt = performance.now()
  if (takesOrders) {
    inFlight.push(...(await put(providers.targets, [{ name: 'accept_then_drop' }, { name: 'never_finishes' }], foundOrReview)))
    inFlight.push(...(await put(providers.targets, [{ name: 'drop_before_accept' }], absentOrReview)))
  }
  const names = providers.targets.flatMap(({ provider }) => (isSilent && provider === silent ? [] : [provider]))
  const held = async () => {
    const samples = await scrape(`${providers.dispatcher.url}/metrics`)
    return names.filter(provider =>
      samples.some(({ metric, labels, value }) => metric === 'provider_absences_held' && labels.provider === provider && value === 1),
    )
  }
  await until(`${name}: every provider's alert`, async () => (await held()).length === names.length, alertMsMax).catch(() => {})
  await Bun.sleep(Math.max(0, lastsMs - (performance.now() - startedAt)))
  const raised = await held()
  const told = toldBy(providers.dispatcher.logFile)
  for (const provider of names) {
    report.check(`${name}: ${provider}: an alert`, raised.includes(provider))
    report.check(
      `${name}: ${provider}: told once`,
      told.filter(one => one === provider).length === 1,
      `${told.filter(one => one === provider).length} times`,
    )
  }
  const states = [...(await reservationsOf(inFlight.map(({ taskId }) => taskId))).values()]
  const ended = states.filter(state => state !== 'reserved' && state !== 'review')
  report.check(`${name}: nothing is refunded`, ended.length === 0, `${ended.length} of ${states.length}: ${[...new Set(ended)].join()}`)
  report.figure(`answers.${name}.in_flight`, states.length)
  report.figure(`answers.${name}.refunds`, ended.length)
  report.figure(`answers.${name}.alerts`, raised.length)
  await end?.()
}

/** Providers whose absence checks a dispatcher logged as suspended, as often as it did. */
const toldBy = (logFile: string): string[] =>
  readFileSync(logFile, 'utf8')
    .split('\n')
    .filter(line => line.includes('absence checks suspended for provider'))
    .map(line => (JSON.parse(line) as { provider: string }).provider)

async function proveEnds(report: Report, providers: Providers, inFlight: InFlight[]): Promise<void> {
  await providers.restart({})
  // What a provider doesn't know of is believed to be nothing only while it shows one that came later.
  const later = await put(providers.targets, [], completed)
  await Promise.all(inFlight.map(({ placed }) => release(placed)))
  const ended = await Promise.all(
    [...inFlight, ...later].map(async one => ({ ...one, end: await untilEnd(one), wanted: one.end(one.placed.target.offers) })),
  )
  for (const { placed, taskId, end, wanted } of ended)
    report.check(`${placed.target.provider}: ends as it should`, end === wanted, `${taskId} ${end}, not ${wanted}`)
}

async function untilEnd({ placed: { api, target }, taskId, end }: InFlight): Promise<string> {
  const task = await api
    .taskOnce(taskId, one => shownEnd(one) === end(target.offers) || ['settled', 'refunded'].includes(one.billing_status ?? ''), endMsMax)
    .catch(async () => (await api.task(taskId)).body)
  return shownEnd(task)
}
