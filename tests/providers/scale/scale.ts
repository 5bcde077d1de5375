import { move } from '../../support/stack'
import type { Report } from '../../support/suite/report'
import { emptyAttempts } from './fill-attempts'
import { type Measured, measureRound, type Round } from './measure'

/** As many polls a second each, so that what differs is how many generations are in flight. */
const batched: Round[] = [
  { manner: 'batched', inFlight: 1_000, pollEverySeconds: 0.3 },
  { manner: 'batched', inFlight: 10_000, pollEverySeconds: 3 },
  { manner: 'batched', inFlight: 100_000, pollEverySeconds: 30 },
]
const single: Round[] = [
  { manner: 'a-call-each', inFlight: 10_000, pollEverySeconds: 3 },
  { manner: 'a-call-each', inFlight: 100_000, pollEverySeconds: 30 },
]
const rounds = [...batched, ...single]

const rssMegabytesMax = 400
const lateShareMax = 0.01
const cpuRatioMax = 1.15
/** Each pause is up to a tenth longer than planned, so that what came due together doesn't stay so; and two seconds late. */
const gapMax = (pollEverySeconds: number) => pollEverySeconds * 1.1 + 2

/** One dispatcher with up to a hundred thousand generations in flight: how late its polls are, what one costs, how much memory it has. */
export async function proveScale(report: Report): Promise<void> {
  await move('dispatcher', 'stop')
  try {
    const all: Measured[] = []
    for (const round of rounds) {
      const measured = await measureRound(round)
      all.push(measured)
      note(report, measured)
    }
    judgeGrowth(
      report,
      all.filter(({ manner }) => manner === 'batched'),
    )
    judgeGrowth(
      report,
      all.filter(({ manner }) => manner === 'a-call-each'),
    )
  } finally {
    await emptyAttempts()
    await move('dispatcher', 'start')
  }
}

function note(report: Report, measured: Measured): void {
  const { manner, inFlight, pollEverySeconds, lateShare, lateP99, gapP99, rssMegabytes, pollsPerSecond, cpuMicros, postponed } = measured
  const name = `scale.${manner}.${inFlight}`
  const figures = {
    polls_per_second: pollsPerSecond,
    cpu_us_per_poll: cpuMicros,
    late_share: lateShare,
    late_p99_s: lateP99,
    gap_p99_s: gapP99,
    rss_mb: rssMegabytes,
    postponed,
  }
  for (const [figure, value] of Object.entries(figures)) report.figure(`${name}.${figure}`, value)
  const words = JSON.stringify(figures)
  console.log(`  ${name} ${words}`)
  report.check(`${name}: p99 of lateness is two seconds at most`, lateShare <= lateShareMax, words)
  report.check(`${name}: the provider saw no longer pauses`, gapP99 > 0 && gapP99 <= gapMax(pollEverySeconds), words)
  report.check(`${name}: memory is bounded`, rssMegabytes <= rssMegabytesMax, words)
}

function judgeGrowth(report: Report, [least, ...more]: Measured[]): void {
  if (!least) return
  for (const { manner, inFlight, cpuMicros } of more) {
    const ratio = cpuMicros / least.cpuMicros
    report.figure(`scale.${manner}.${inFlight}.cpu_ratio`, ratio)
    report.check(`${manner}: a poll costs as much among ${inFlight} as among ${least.inFlight}`, ratio <= cpuRatioMax, `${ratio}`)
  }
}
