import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { cpuSecondsOf } from '../../bench/support/cpu-seconds'
import { type Sample, scrape } from '../../support/servers/metrics'
import { startOwn } from '../../support/servers/own-services'
import { type AnsweringProvider, type Manner, startAnsweringProvider } from './answering-provider'
import { fillAttempts } from './fill-attempts'

export type Round = { manner: Manner; inFlight: number; pollEverySeconds: number }

/**
 * `cpuMicros`: what the dispatcher computes for one poll. `lateShare`: of those taken more than two seconds late. `lateP99`: the bound in seconds
 * that 99 of 100 are within, as fine as the histogram's. `gapP99`: seconds between two polls, as the provider saw them.
 */
export type Measured = Round & {
  pollsPerSecond: number
  cpuMicros: number
  lateShare: number
  lateP99: number
  gapP99: number
  rssMegabytes: number
  postponed: number
}

const warmSecondsMin = 20
const measuredSecondsMin = 30
const sampleMs = 1_000
const lateSeconds = 2

/** One dispatcher with so many generations in flight at a provider that answers on a socket; measured once all of them were polled, for two rounds. */
export async function measureRound(round: Round): Promise<Measured> {
  const { manner, inFlight: count, pollEverySeconds } = round
  const provider = startAnsweringProvider()
  const names =
    manner === 'batched' ? { provider: 'simulator', providerModel: 'alpha-h3' } : { provider: 'fal', providerModel: 'fal-ai/any' }
  // fal's polls are 3 s apart at first and 30 s in the end; the simulator's as far as it is told.
  const acceptedSecondsAgo = manner === 'a-call-each' && pollEverySeconds > 3 ? 1_000 : -86_400
  await fillAttempts({ ...names, count, pollEverySeconds, acceptedSecondsAgo })
  const own = {
    FILMGATE_SIMULATOR_URL: provider.url,
    FILMGATE_FAL_URL: provider.url,
    SIMULATOR_FIRST_POLL_MS: String(pollEverySeconds * 1_000),
  }
  const dispatcher = await startOwn('dispatcher', { ...own, FILMGATE_GENERATION_TIMEOUT_MS: '86400000' }, '/readyz')
  try {
    await pause(Math.max(warmSecondsMin, pollEverySeconds * 1.2) * 1_000)
    provider.takeGaps()
    if (provider.polls() === 0) throw new Error(`the dispatcher asked about none of ${count} generations, see ${dispatcher.logFile}`)
    return { ...round, ...(await measure(dispatcher, provider, Math.max(measuredSecondsMin, pollEverySeconds * 2))) }
  } finally {
    await dispatcher.stop()
    provider.stop()
  }
}

async function measure({ url, pid }: { url: string; pid: number }, provider: AnsweringProvider, seconds: number) {
  const before = { cpu: cpuSecondsOf(pid), polls: provider.polls(), samples: await scrape(`${url}/metrics`) }
  let rssMegabytes = 0
  const start = performance.now()
  while (performance.now() - start < seconds * 1_000) {
    await pause(sampleMs)
    rssMegabytes = Math.max(rssMegabytes, rssOf(pid))
  }
  const cpu = cpuSecondsOf(pid) - before.cpu
  const polls = provider.polls() - before.polls
  const samples = await scrape(`${url}/metrics`)
  const more = (metric: string, le?: number) => sumOf(samples, metric, le) - sumOf(before.samples, metric, le)
  const taken = more('attempt_asked_late_seconds_count')
  const bounds = boundsOf(samples, 'attempt_asked_late_seconds_bucket')
  const gaps = provider.takeGaps().toSorted((a, b) => a - b)
  return {
    pollsPerSecond: polls / ((performance.now() - start) / 1_000),
    cpuMicros: (cpu / polls) * 1_000_000,
    lateShare: 1 - more('attempt_asked_late_seconds_bucket', lateSeconds) / taken,
    lateP99: bounds.find(le => more('attempt_asked_late_seconds_bucket', le) >= taken * 0.99) ?? Number.POSITIVE_INFINITY,
    gapP99: gaps[Math.floor(gaps.length * 0.99)] ?? 0,
    rssMegabytes,
    postponed: more('attempts_postponed_total'),
  }
}

const boundsOf = (samples: Sample[], metric: string): number[] =>
  samples.flatMap(sample => (sample.metric === metric ? [Number(sample.labels.le)] : [])).toSorted((a, b) => a - b)

const sumOf = (samples: Sample[], metric: string, le?: number): number =>
  samples
    .filter(sample => sample.metric === metric && (le === undefined || Number(sample.labels.le) === le))
    .reduce((sum, { value }) => sum + value, 0)

const rssOf = (pid: number): number => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
