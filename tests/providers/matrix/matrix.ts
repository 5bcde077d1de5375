import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, openAccount } from '../../support/client/account'
import { audit } from '../../support/operator/operator'
import type { Report } from '../../support/suite/report'
import { type End, endsOf, faults } from './faults'
import { type Cell, isRefunded, retries, runCell, shownEnd } from './run-cell'
import { showGrid } from './show-grid'
import { startProviders, type Target } from './start-providers'

/** Faults of a provider that are under way at once, each in all ways of sending. */
const pairsMax = 30
const honest = 'none'
const credits = 10_000

type Ran = { account: Account; cells: Cell[] }

/**
 * Every fault of the simulator's repertoire at every connector, each sent once, again, and five times at once: at most one job at the provider,
 * the end and the credits that what the provider offers leaves possible, and no refund of what it has or may have.
 */
export async function proveMatrix(report: Report): Promise<void> {
  const unused = behaviourNames().filter(name => !Object.values(faults).some(({ behaviours }) => behaviours.some(one => one.name === name)))
  // Every video here is made so.
  report.check('every behaviour of the simulator is in the matrix', unused.join() === 'instant', unused.join())
  const { targets, stop } = await startProviders()
  try {
    await runMatrix(report, targets)
  } finally {
    await stop()
  }
  const findings = await audit()
  report.check('the books are whole', findings.length === 0, JSON.stringify(findings))
}

async function runMatrix(report: Report, targets: Target[]): Promise<void> {
  const crowded = Object.keys(faults).filter(name => name !== honest && !faults[name]?.alone)
  const alone = Object.keys(faults).filter(name => faults[name]?.alone)
  // What a provider doesn't know of is believed to be nothing only while it shows another of ours.
  const ran: Ran[] = await Promise.all(targets.map(target => runPair(target, honest)))
  const pairs = crowded.flatMap(name => targets.map(target => ({ target, name })))
  ran.push(...(await pool(pairs, ({ target, name }) => runPair(target, name))))
  for (const name of alone) ran.push(...(await runAlone(targets, name)))
  for (const one of ran) await lookAgain(report, one)
  const cells = ran.flatMap(one => one.cells)
  tell(report, targets, cells)
}

/** A fault at a provider in all ways of sending, each a task of one account. */
async function runPair(target: Target, name: string): Promise<Ran> {
  const account = await openAccount({ credits })
  return { account, cells: await Promise.all(retries.map(again => runCell(account.api, target, name, again))) }
}

/** One submit after another, each behind a video of the same provider's; their ends are waited for together. */
async function runAlone(targets: Target[], name: string): Promise<Ran[]> {
  const ending: Promise<Ran>[] = []
  for (const target of targets)
    for (const again of retries) {
      const account = await openAccount({ credits })
      await runCell((await openAccount({ credits })).api, target, honest, 'none')
      const submitted = Promise.withResolvers<void>()
      const cell = runCell(account.api, target, name, again, submitted.resolve)
      ending.push(cell.then(one => ({ account, cells: [one] })))
      await Promise.race([submitted.promise, cell])
    }
  return Promise.all(ending)
}

async function pool<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const waiting = [...items]
  const done: R[] = []
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) done.push(await work(item))
  }
  await Promise.all(Array.from({ length: pairsMax }, worker))
  return done
}

/** What was held has to be held still once all others have ended, and the account to have paid what its tasks say. */
async function lookAgain(report: Report, { account, cells }: Ran): Promise<void> {
  for (const cell of cells) {
    if (cell.end !== 'review') continue
    const { body } = await account.api.task(cell.taskId)
    const now = shownEnd(body)
    const ends = endsOf(faults[cell.fault] as (typeof faults)[string], cell.target.offers)
    if (!ends.includes(now as End)) cell.wrong.push(`${now} after it was held`)
    cell.refundedWrongly ||= isRefunded(body)
    cell.credits = body.credits_used - body.credits_refunded
  }
  const paid = cells.reduce((sum, cell) => sum + cell.credits, 0)
  const left = await account.api.credits()
  const [{ target, fault } = { target: undefined, fault: '' }] = cells
  report.check(`${target?.provider}: ${fault}: the account paid what its tasks say`, left === credits - paid, `${left} left, ${paid} paid`)
}

function tell(report: Report, targets: Target[], cells: Cell[]): void {
  for (const { target, fault, retries: again, wrong } of cells)
    report.check(`${target.provider}: ${fault}, sent again: ${again}`, wrong.length === 0, wrong.join('; '))
  showGrid(targets, cells)
  const count = (holds: (cell: Cell) => boolean) => cells.filter(holds).length
  report.figure('matrix.providers', targets.length)
  report.figure('matrix.faults', Object.keys(faults).length)
  report.figure('matrix.cells', cells.length)
  report.figure(
    'matrix.cells_as_specified',
    count(({ wrong }) => wrong.length === 0),
  )
  report.figure(
    'matrix.tasks_with_more_than_one_job',
    count(({ acceptedJobs }) => acceptedJobs > 1),
  )
  report.figure(
    'matrix.tasks_submitted_more_than_once',
    count(({ submits }) => submits > 1),
  )
  report.figure(
    'matrix.wrong_refunds',
    count(({ refundedWrongly }) => refundedWrongly),
  )
  for (const end of new Set(cells.map(one => one.end)))
    report.figure(
      `matrix.ended ${end}`,
      count(one => one.end === end),
    )
  report.check('no refund was wrong', count(({ refundedWrongly }) => refundedWrongly) === 0)
  const every = targets.length * Object.keys(faults).length * retries.length
  report.check('every fault met every provider in every way of sending', cells.length === every, `${cells.length} of ${every}`)
}

/** As the simulator's source names them. */
function behaviourNames(): string[] {
  const source = readFileSync(join(import.meta.dir, '../../../services/simulator/src/behaviour/behaviour.ts'), 'utf8')
  return [...source.matchAll(/^ {2}behaviour\('([^']+)'/gm)].map(([, name = '']) => name)
}
