import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report } from '../../support/suite/report'
import { makePicture } from '../support/make-media'
import { type MediaHost, openMediaHost } from '../support/media-host'
import { type MediaTopics, openMediaTopics } from '../support/media-topics'
import { alphaLimits, type OrderInput, orderOf } from '../support/orders'
import { keepLog, openProbe } from '../support/probe-process'
import { highestBucket } from '../support/read-metrics'
import { bombs } from './bombs'
import { changingMovies } from './changing-movies'
import { proveCosts } from './costs'
import { cutMovies } from './cut-movies'
import { disguises } from './disguises'
import { movies } from './movies'
import { pictures } from './pictures'
import type { Sample } from './sample'
import { sounds } from './sounds'

/** Caps of one child, whatever it is given. It is refused more than 1.25 GiB; what is really used must stay below. */
const peakMebibytesMax = 1024
const childSecondsMax = 60

/** Every family of hostile media, over the wire: the right code for each, and no child that grows or stays. */
export async function proveMedia(report: Report, prefix: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'media-hostile-'))
  const [host, topics] = [await openMediaHost(), await openMediaTopics(prefix)]
  const probe = await openProbe({ prefix, env: host.env })
  try {
    await probe.start()
    const samples = [
      ...(await disguises(folder)),
      ...(await pictures(folder)),
      ...(await sounds(folder)),
      ...(await movies(folder)),
      ...(await changingMovies(folder)),
      ...(await cutMovies(folder)),
    ]
    await decideSamples(report, host, topics, samples)
    await proveCosts(report, host, topics, probe, bombs(await readFile(await makePicture(folder, 'bomb.png', 320, 320))))
    const text = await probe.metricsText()
    const [peak, seconds] = [highestBucket(text, 'probe_child_peak_mebibytes'), highestBucket(text, 'probe_child_seconds')]
    report.check('peak memory of a child', peak <= peakMebibytesMax, `over ${peakMebibytesMax} MiB`)
    report.check('wall time of a child', seconds <= childSecondsMax, `over ${childSecondsMax} s`)
    report.figure('hostile.samples', samples.length)
    report.figure('hostile.child_peak_mebibytes_at_most', peak)
    report.figure('hostile.child_seconds_at_most', seconds)
    report.check('nothing is left on disk', (await probe.leftOnDisk()).length === 0)
  } finally {
    await probe.stop()
    await keepLog(prefix, probe.log())
    await topics.stop()
    await host.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** What one machine that also runs the host decides without anybody's time running out. */
const inFlightMax = 64

/** One order a sample, within alpha's limits or those given. */
export async function decideSamples(
  report: Report,
  host: MediaHost,
  topics: MediaTopics,
  samples: Sample[],
  limits: OrderInput['limits'] = alphaLimits,
): Promise<void> {
  for (let from = 0; from < samples.length; from += inFlightMax) {
    const some = samples.slice(from, from + inFlightMax)
    const orders = some.map(({ kind, body, declaredSeconds = 0 }) =>
      orderOf({ inputs: [{ kind, url: host.serve(body), declaredSeconds }], limits }),
    )
    await topics.reserve(orders)
    const outcomes = await Promise.all(
      orders.map(order => topics.outcome(order, 240_000).catch(error => ({ code: String(error), rejected: undefined }))),
    )
    for (const [index, { name, codes }] of some.entries()) {
      const { code = 'nothing', rejected } = outcomes[index] ?? {}
      report.check(`media ${name}`, codes.includes(code), `${code} (${rejected?.message ?? ''}), expected ${codes.join(' or ')}`)
    }
  }
}
