import { audit } from '../../support/operator/operator'
import { type Behaviour, simulator } from '../../support/simulator'
import { move } from '../../support/stack'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { startProviders } from '../matrix/start-providers'
import { boughtFor, type Placed, place, statesOf, taskIdOf } from './order'
import { reservationsOf } from './reservations'

const videos = 100
const readyMsMax = 120_000
const healedMsMax = 420_000

/** As in production, but that a copy is tried again every 30 s at the latest instead of every 15 min, and given up sooner. An empty one is the default. */
const bounds = {
  FILMGATE_GENERATION_TIMEOUT_MS: '',
  FILMGATE_OUTPUT_RETRY_FIRST_MS: '',
  FILMGATE_OUTPUT_RETRY_MAX_MS: '30000',
  FILMGATE_OUTPUT_RETRY_FOR_MS: '',
  FILMGATE_OUTPUT_REREAD_MS: '',
  FILMGATE_OUTPUT_GONE_SIGHTINGS_MIN: '',
  FILMGATE_OUTPUT_GONE_MS: '',
  FILMGATE_OUTPUT_TIMEOUT_MS: '20000',
}

/**
 * A hundred videos are finished at their providers when our S3 goes, our way out swallows what it is given, then refuses it, and our DNS has no answer for
 * where a third of them are. Nothing is refunded, and all are completed once everything is back.
 */
export async function proveGone(report: Report, seconds: number): Promise<void> {
  const providers = await startProviders(bounds)
  try {
    const nameless: Behaviour = {
      name: 'output_elsewhere',
      origin: `https://${crypto.randomUUID()}.com`,
      delay_ms: Math.min(3_600_000, seconds * 1_000 + 30_000),
    }
    const placed = await Promise.all(
      Array.from({ length: videos }, (_, index) => {
        const target = providers.targets[index % providers.targets.length]
        if (!target) throw new Error('there are providers')
        return place(target, [{ name: 'never_finishes' }, ...(index % 3 === 0 ? [nameless] : [])])
      }),
    )
    const taskIds = await Promise.all(placed.map(taskIdOf))
    await goWithout(report, placed, seconds, () => taskIds)
    await proveAllMade(report, placed, taskIds)
  } finally {
    await providers.stop()
  }
  const findings = await audit()
  report.check('the books are whole', findings.length === 0, JSON.stringify(findings))
}

async function goWithout(report: Report, placed: Placed[], seconds: number, taskIds: () => string[]): Promise<void> {
  await untilStates(placed, 'accepted')
  await move('s3', 'stop')
  try {
    await Promise.all(placed.map(release))
    const copying = async () => (await statesOf(placed)).filter(state => state === 'copying').length
    // Of some it is known before the way out is gone that they are finished, of others it is not.
    await until('half of them to be copied', async () => (await copying()) >= videos / 2, readyMsMax)
    await move('simulator', 'pause')
    await Bun.sleep((seconds * 1_000) / 2)
    await move('simulator', 'kill')
    await Bun.sleep((seconds * 1_000) / 2)
    const ended = [...(await reservationsOf(taskIds())).values()].filter(state => state !== 'reserved' && state !== 'review')
    report.check('nothing ended while nothing led anywhere', ended.length === 0, `${ended.length} ended: ${[...new Set(ended)].join()}`)
    report.figure('gone.seconds_without', seconds)
    report.figure('gone.copies_waiting', await copying())
  } finally {
    await Promise.all([move('s3', 'start'), move('simulator', 'start')])
  }
}

async function proveAllMade(report: Report, placed: Placed[], taskIds: string[]): Promise<void> {
  const backAt = performance.now()
  const states = async () => [...(await reservationsOf(taskIds)).values()]
  const isEnded = (state: string) => state === 'settled' || state === 'refunded'
  await until('all to have ended', async () => (await states()).every(isEnded), healedMsMax).catch(() => {})
  const made = (await states()).filter(state => state === 'settled').length
  report.figure('gone.seconds_until_all_were_there', (performance.now() - backAt) / 1_000)
  report.figure('gone.completed', made)
  const refunded = (await states()).filter(state => state === 'refunded' || state === 'refund_pending').length
  report.figure('gone.refunded', refunded)
  report.check('nothing was refunded', refunded === 0, String(refunded))
  report.check('all were completed', made === videos, `${made} of ${videos}`)
  for (const [index, one] of placed.entries()) {
    const task = await one.api.taskOnce(taskIds[index] ?? '')
    const output = await fetch(task.output?.video_url ?? '', { keepalive: false })
    const { jobs, submits } = await boughtFor(one)
    const isWhole = output.status === 200 && jobs === 1 && submits === 1
    report.check(`${one.target.provider}: there, and bought once`, isWhole, `${output.status}, ${jobs} jobs, ${submits} submits`)
    await output.arrayBuffer()
  }
}

const untilStates = (placed: Placed[], wanted: string) =>
  until(
    `all attempts to be ${wanted}`,
    async () => {
      const states = await statesOf(placed)
      return states.length === placed.length && states.every(state => state === wanted)
    },
    readyMsMax,
  )

/** Has a provider finish what it was asked for. */
export async function release({ prompt }: Pick<Placed, 'prompt'>): Promise<void> {
  for (const { generation_id: id } of await simulator.submitsWith(prompt)) if (id) await simulator.release(id)
}
