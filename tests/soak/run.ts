import { openAccount } from '../support/client/account'
import { audit } from '../support/operator/operator'
import { ops } from '../support/operator/ops'
import { createReport, prefixed } from '../support/suite/report'
import { readCall } from './arguments'
import { createBuyers } from './buyers'
import { reportCosts } from './costs'
import { judgeFlat } from './flat'
import { type Sample, takeSample } from './samples'

/**
 * `bun run test:soak`: videos are bought at half of what the machine makes, for an hour. Nothing may grow but what is kept of each video, and
 * no answer may surprise a client. What a video costs in processor and disk is among the figures.
 */
const accountsMax = 20
const creditsEach = 1_000_000_000
const peak = { atATime: 32, warmUpSeconds: 60, seconds: 60 }
/** The posters of the peak are drawn meanwhile. */
const restSeconds = 60
const idleSeconds = 30
const samplesMin = 12
const sampleEverySecondsMax = 60

const { minutes, perSecond: wanted } = readCall(process.argv.slice(2))
const report = createReport('soak')
const accounts = await Promise.all(Array.from({ length: accountsMax }, () => openAccount({ credits: creditsEach })))
const buyers = createBuyers(accounts)

console.log(`warming up for ${peak.warmUpSeconds} s`)
await buyers.fullSpeed(peak.atATime, peak.warmUpSeconds)
const peakPerSecond = wanted === undefined ? await buyers.fullSpeed(peak.atATime, peak.seconds) : undefined
if (peakPerSecond !== undefined) report.figure('peakPerSecond', peakPerSecond)
const rates = wanted ?? [(peakPerSecond ?? 0) / 2]

await Bun.sleep(restSeconds * 1_000)
const idleFrom = await takeSample(buyers.bought.posts)
await Bun.sleep(idleSeconds * 1_000)
const idle = [idleFrom, await takeSample(buyers.bought.posts)] as const
report.figure('minutes', minutes)
for (const rate of rates) await soakAt(rate, rates.length > 1 ? `at ${rate}/s: ` : '')

/** Buys at one rate for as long as was asked for, and judges and prices that time by itself. */
async function soakAt(rate: number, prefix: string): Promise<void> {
  const seconds = minutes * 60
  const everySeconds = Math.min(sampleEverySecondsMax, seconds / samplesMin)
  const before = { ...buyers.bought }
  const samples: Sample[] = [await takeSample(buyers.bought.posts)]
  const buying = buyers.steadily(rate, seconds)
  const startedMs = performance.now()
  for (let index = 1; index * everySeconds <= seconds; index += 1) {
    await Bun.sleep(Math.max(0, startedMs + index * everySeconds * 1_000 - performance.now()))
    samples.push(await takeSample(buyers.bought.posts))
    const { posts, completed, unexpected } = buyers.bought
    const counts = `${posts - before.posts} bought, ${completed - before.completed} completed, ${unexpected.length} unexpected answers`
    console.log(`${prefix}${Math.round((index * everySeconds) / 60)} of ${minutes} min: ${counts}`)
  }
  await buying
  await buyers.ended()
  const { completed, polls } = buyers.bought
  const own = prefixed(report, prefix)
  own.figure('perSecond', rate)
  own.figure('videos', completed - before.completed)
  own.figure('polls', polls - before.polls)
  judgeFlat(own, samples)
  // To the end of the last video, so that each is counted whole however long it took.
  reportCosts(own, { idle, samples: [...samples.slice(0, 1), await takeSample(buyers.bought.posts)] })
}

const { posts, completed, unexpected } = buyers.bought
report.check('no answer is unexpected', unexpected.length === 0, `${unexpected.length}, such as ${unexpected.slice(0, 3).join('; ')}`)
report.check('every video is completed and can be fetched', completed === posts, `${completed} of ${posts}`)
const findings = await audit()
report.check('the auditor finds nothing', findings.length === 0, JSON.stringify(findings).slice(0, 500))
const across = await ops('audit', 'across', '--grace', '5', '--json')
report.check('the cross-audit finds nothing', across.exitCode === 0, `${across.stdout}${across.stderr}`.slice(0, 1_000))
process.exit(report.finish())
