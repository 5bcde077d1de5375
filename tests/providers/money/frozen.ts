import { audit } from '../../support/operator/operator'
import { scrape } from '../../support/servers/metrics'
import type { OwnService } from '../../support/servers/own-services'
import { move } from '../../support/stack'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { isRefunded, shownEnd } from '../matrix/run-cell'
import { type Providers, startProviders, type Target } from '../matrix/start-providers'
import { type HeldWrites, holdWrites } from './hold-writes'
import { boughtFor, buyShown, type Placed, place, reservedOf, statesOf, taskIdOf } from './order'
import { type Phase, phases } from './phases'

/** Each kind of healing: a look-up whose silence means something, one whose silence doesn't, a signed callback alone. */
const healedBy = ['simulator', 'runware', 'fal']
const ordersOfEach = 2

const bounds = {
  FILMGATE_ATTEMPT_LEASE_MS: '2000',
  FILMGATE_SUBMIT_TIMEOUT_MS: '2000',
  SIMULATOR_VISIBILITY_MS: '3000',
  FILMGATE_GENERATION_TIMEOUT_MS: '120000',
  // What it deletes would be taken for the write of an attempt.
  FILMGATE_OUTPUT_EXPIRE_EVERY_MS: '3600000',
}
/** So that what is decided beside the held write is decided too before the process is frozen, and what is reserved is told to it. */
const gatherMs = 500
const endMsMax = 120_000

type Ended = { phase: Phase; placed: Placed; taskId: string; end: string }

/**
 * A dispatcher is frozen past its lease in each phase of an attempt, another takes over and brings everything to its end; then the first goes on
 * with what it had decided.
 */
export async function proveFrozen(report: Report): Promise<void> {
  const providers = await startProviders(bounds)
  try {
    await buyShown(providers.targets)
    const targets = providers.targets.filter(({ provider }) => healedBy.includes(provider))
    const ended: Ended[] = []
    let stale = 0
    for (const phase of phases) {
      const ran = await runPhase(report, providers, targets, phase)
      ended.push(...ran.ended)
      stale += ran.stale
    }
    report.figure('frozen.phases', phases.length)
    report.figure('frozen.stale_writes_refused', stale)
    await lookAgain(report, ended)
  } finally {
    await providers.stop()
  }
  const findings = await audit()
  report.check('the books are whole', findings.length === 0, JSON.stringify(findings))
}

async function runPhase(report: Report, providers: Providers, targets: Target[], phase: Phase): Promise<{ ended: Ended[]; stale: number }> {
  const first = providers.dispatcher
  const staleBefore = await staleOf(first)
  const { placed, held } = await bringTo(phase, targets, first)
  first.freeze()
  if (phase.held === 'cut') await held?.cut()
  await held?.release()
  if (phase.storeHangs && !phase.held) await move('s3', 'resume')
  const second = await providers.startAnother(1)
  const ended = await Promise.all(placed.map(one => endOf(phase, one)))
  report.check(`${phase.name}: it stood still all the while`, first.isFrozen(), 'something else continued it')
  first.resume()
  if (phase.stale) await until('a stale write', async () => (await staleOf(first)) > staleBefore, 30_000).catch(() => {})
  const stale = (await staleOf(first)) - staleBefore
  report.check(`${phase.name}: what it had decided is refused`, !phase.stale || stale > 0, `${stale} stale writes`)
  for (const { placed, end } of ended) {
    const { provider, offers } = placed.target
    report.check(`${phase.name}: ${provider}: the end`, end === phase.end(offers), `${end}, not ${phase.end(offers)}`)
  }
  await second.stop()
  return { ended, stale }
}

/** Orders under way, each at this phase of its attempt. */
async function bringTo({ behaviours, state, held, storeHangs }: Phase, targets: Target[], dispatcher: OwnService) {
  if (storeHangs) await move('s3', 'pause')
  let writes: HeldWrites | undefined = held && !state ? await holdWrites() : undefined
  // What it hears of only once all are there, it writes together.
  if (writes) dispatcher.freeze()
  const placed = await Promise.all(targets.flatMap(target => Array.from({ length: ordersOfEach }, () => place(target, behaviours))))
  if (state)
    await until(`${placed.length} attempts to be ${state}`, async () => {
      const states = await statesOf(placed)
      return states.length === placed.length && states.every(one => one === state)
    })
  if (held && !state) {
    await until('all to be reserved', async () => (await reservedOf(placed)) === placed.length)
    await Bun.sleep(gatherMs)
    dispatcher.resume()
  }
  if (held && state) writes = await holdWrites()
  if (storeHangs && held) await move('s3', 'resume')
  await writes?.reached()
  await Bun.sleep(gatherMs)
  return { placed, held: writes }
}

async function endOf(phase: Phase, placed: Placed): Promise<Ended> {
  const taskId = await taskIdOf(placed)
  const wanted = phase.end(placed.target.offers)
  const task = await placed.api
    .taskOnce(taskId, one => shownEnd(one) === wanted || ['settled', 'refunded'].includes(one.billing_status ?? ''), endMsMax)
    .catch(async () => (await placed.api.task(taskId)).body)
  return { phase, placed, taskId, end: shownEnd(task) }
}

async function staleOf({ url }: OwnService): Promise<number> {
  const samples = await scrape(`${url}/metrics`)
  return samples.find(({ metric }) => metric === 'attempts_stale_total')?.value ?? 0
}

/** Everything is as it was before whoever was frozen went on, and was bought once. */
async function lookAgain(report: Report, ended: Ended[]): Promise<void> {
  const counts = { boughtTwice: 0, submittedTwice: 0, wrongRefunds: 0 }
  for (const { phase, placed, taskId, end } of ended) {
    const { body } = await placed.api.task(taskId)
    report.check(`${phase.name}: ${placed.target.provider}: as it was`, shownEnd(body) === end, `${shownEnd(body)}, was ${end}`)
    const { jobs, submits } = await boughtFor(placed)
    if (jobs > 1) counts.boughtTwice += 1
    if (submits > 1) counts.submittedTwice += 1
    if (isRefunded(body) && jobs > 0) counts.wrongRefunds += 1
    if (body.status === 'completed') {
      const output = await fetch(body.output?.video_url ?? '', { keepalive: false })
      report.check(`${phase.name}: ${placed.target.provider}: the video is there`, output.status === 200, String(output.status))
      await output.arrayBuffer()
    }
  }
  report.figure('frozen.tasks', ended.length)
  report.figure('frozen.bought_twice', counts.boughtTwice)
  report.figure('frozen.submitted_twice', counts.submittedTwice)
  report.figure('frozen.wrong_refunds', counts.wrongRefunds)
  report.check('nothing was bought twice', counts.boughtTwice === 0 && counts.submittedTwice === 0, JSON.stringify(counts))
  report.check('nothing that a provider had was refunded', counts.wrongRefunds === 0, JSON.stringify(counts))
}
