import { openAccount } from '../../support/client/account'
import type { Report } from '../../support/suite/report'
import { faults } from '../matrix/faults'
import { type Cell, runCell } from '../matrix/run-cell'
import { startProviders, type Target } from '../matrix/start-providers'

/** Orders that are under way at once. */
const ordersMax = 24

/** Files that are no whole video: whatever becomes of the task, it is not completed. */
const wrongFiles = [
  'its output breaks off',
  'its output is half a video',
  'its output is cut in its header',
  'its output is cut in its pictures',
  'its output is a page',
  'its output is a page called a video',
  'its output is a WebM',
  'its output is a picture',
  'its output is longer than we take',
  'its output has no end',
  'its output stalls',
]

/** Addresses that are too old, at a provider that gives others when it is asked again, and at one that doesn't. */
const moved = 'its output has moved to another address'
const oldAddresses = [moved, 'its output has an address too old, each time']

/** What each connector's outputs come to when their files are wrong, and when their addresses have expired. */
export async function proveWrongFiles(report: Report): Promise<void> {
  const { targets, stop } = await startProviders()
  try {
    const pairs = [...wrongFiles, ...oldAddresses].flatMap(fault => targets.map(target => ({ target, fault })))
    const cells = await pool(pairs)
    for (const { target, fault, end, wrong } of cells)
      report.check(`${fault}, at ${target.provider}, ends as it has to`, wrong.length === 0, `${end}: ${wrong.join('; ')}`)
    const completed = cells.filter(({ fault, end }) => end === 'completed' && fault !== moved)
    report.check('no wrong file is ever completed', completed.length === 0, completed.map(({ taskId }) => taskId).join())
    report.figure('copy.wrong_files', cells.filter(({ fault }) => wrongFiles.includes(fault)).length)
    report.figure('copy.wrong_files_completed', completed.length)
    report.figure('copy.providers_asked_again', cells.filter(({ fault, end }) => fault === moved && end === 'completed').length)
  } finally {
    await stop()
  }
}

async function pool(pairs: { target: Target; fault: string }[]): Promise<Cell[]> {
  for (const { fault } of pairs) if (!faults[fault]) throw new Error(`there is no fault ${fault}`)
  const waiting = [...pairs]
  const cells: Cell[] = []
  const work = async () => {
    for (let pair = waiting.shift(); pair; pair = waiting.shift()) {
      const { api } = await openAccount({ credits: 10_000 })
      cells.push(await runCell(api, pair.target, pair.fault, 'none'))
    }
  }
  await Promise.all(Array.from({ length: ordersMax }, work))
  return cells
}
