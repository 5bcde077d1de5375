import { type Account, openAccount } from '../../support/client/account'
import { generateStubbornly } from '../../support/client/stubborn-client'
import { audit } from '../../support/operator/operator'
import { simulator } from '../../support/simulator'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { startProviders } from '../matrix/start-providers'
import { healingsOf, quantile } from './healing-times'
import { buyShown } from './order'
import { reservationsOf } from './reservations'
import { type Case, casesOf, kinds } from './uncertain-cases'

const seed = 20_261_123
const accounts = 50
/** POSTs that wait at once. */
const postsMax = 64
/** The simulator tells of a thousand submits in one answer. */
const batchSize = 500
const endedMsMax = 600_000

const bounds = {
  SIMULATOR_VISIBILITY_MS: '20000',
  FILMGATE_ATTEMPT_LEASE_MS: '12000',
  FILMGATE_GENERATION_TIMEOUT_MS: '3600000',
  FILMGATE_OUTPUT_RETRY_FOR_MS: '3600000',
  FILMGATE_COPIES_MAX: '8',
}

type Sent = Case & { taskId: string; prompt: string }

/** Ten thousand submits whose answers are lost in every way there is, at every provider, over two dispatchers: what can be healed is, the rest waits for a person. */
export async function proveUncertain(report: Report, submits: number): Promise<void> {
  const providers = await startProviders(bounds)
  const second = await providers.startAnother(1)
  try {
    await buyShown(providers.targets)
    const startedAt = performance.now()
    const own = crypto.randomUUID()
    for (const { words, behaviours } of kinds) await simulator.behave(`${own} ${words};`, [...behaviours, { name: 'instant' }])
    const sent = await sendAll(casesOf(providers.targets, seed, submits), own)
    report.figure('uncertain.seed', seed)
    report.figure('uncertain.submits', sent.length)
    report.figure('uncertain.submits_per_second', (sent.length * 1_000) / (performance.now() - startedAt))
    await proveMoney(report, sent)
    await proveOnce(report, sent, own)
    await proveHealing(report, sent)
  } finally {
    await second.stop()
    await providers.stop()
  }
  const findings = await audit()
  report.check('the books are whole', findings.length === 0, JSON.stringify(findings))
}

async function sendAll(cases: Case[], own: string): Promise<Sent[]> {
  const clients = await Promise.all(Array.from({ length: accounts }, () => openAccount({ credits: 10_000_000 })))
  const sent: Sent[] = []
  const waiting = cases.entries()
  const worker = async () => {
    for (const [index, one] of waiting) {
      const prompt = `${own} ${one.kind.words}; batch ${own} ${Math.floor(index / batchSize)}; ${index}`
      const { api } = clients[index % accounts] as Account
      sent.push({ ...one, prompt, taskId: await generateStubbornly(api, { ...one.target.request, prompt }) })
    }
  }
  await Promise.all(Array.from({ length: postsMax }, worker))
  return sent
}

/** Every reservation comes to what its provider's ways leave possible, and to nothing else. */
async function proveMoney(report: Report, sent: Sent[]): Promise<void> {
  const taskIds = sent.map(({ taskId }) => taskId)
  const odd = async () => {
    const states = await reservationsOf(taskIds)
    return sent.filter(({ taskId, expected }) => states.get(taskId) !== expected).map(one => ({ ...one, state: states.get(one.taskId) }))
  }
  const sentAt = Date.now()
  await until('all to have ended, or to be held', async () => (await odd()).length === 0, endedMsMax).catch(() => {})
  // What is held is looked up on: an absence that is believed where it proves nothing ends it only past that provider's bound.
  await Bun.sleep(Math.max(0, sentAt + Math.max(...sent.map(lookedUpMs)) - Date.now()))
  const wrong = await odd()
  const refunded = wrong.filter(({ state }) => state === 'refunded' || state === 'refund_pending')
  const unhealed = wrong.filter(({ heals }) => heals)
  const words = (some: typeof wrong) =>
    some
      .slice(0, 20)
      .map(({ target, kind, state, expected, taskId }) => `${target.provider}: ${kind.words}: ${taskId} ${state}, not ${expected}`)
  report.check('no refund is wrong', refunded.length === 0, words(refunded).join('; '))
  report.check('all that can be healed are', unhealed.length === 0, words(unhealed).join('; '))
  report.check('the rest is held for review', wrong.length === 0, words(wrong).join('; '))
  for (const state of ['settled', 'refunded', 'review'] as const)
    report.figure(`uncertain.expected_${state}`, sent.filter(({ expected }) => expected === state).length)
  report.figure('uncertain.healable', sent.filter(({ heals }) => heals).length)
  report.figure('uncertain.unhealed', unhealed.length)
  report.figure('uncertain.wrong_refunds', refunded.length)
}

const lookedUpMs = ({ target: { offers } }: Sent) =>
  offers.look_up === 'own-id' || offers.look_up === 'own-id-if-found' ? boundOf(offers.visibility_ms) : 0

/** By what the providers got: one submit of each, and at most one generation. */
async function proveOnce(report: Report, sent: Sent[], own: string): Promise<void> {
  const arrived = new Map<string, { jobs: Set<string>; submits: number }>(
    sent.map(({ prompt }) => [prompt, { jobs: new Set(), submits: 0 }]),
  )
  for (let batch = 0; batch * batchSize < sent.length; batch++)
    for (const { prompt, generation_id: job } of await simulator.submitsWith(`batch ${own} ${batch};`)) {
      const one = arrived.get(prompt)
      if (!one) throw new Error(`a provider got ${prompt}, which nobody asked for`)
      one.submits += 1
      if (job) one.jobs.add(job)
    }
  const counts = [...arrived.values()]
  const twice = counts.filter(one => one.submits > 1).length
  report.figure('uncertain.double_submissions', twice)
  report.figure('uncertain.bought_twice', counts.filter(({ jobs }) => jobs.size > 1).length)
  report.check(
    'each was submitted, and none twice',
    counts.every(one => one.submits === 1),
    `${twice} twice, ${counts.filter(one => one.submits === 0).length} never`,
  )
}

const lookUpMsMax = 15_000
/** Between look-ups, at the longest: `lookUpCadence` of the dispatcher. */
const intervalMs = (visibilityMs: number) => Math.min(lookUpMsMax, visibilityMs / 3)
const boundOf = (visibilityMs: number) => visibilityMs + 2 * intervalMs(visibilityMs)

async function proveHealing(report: Report, sent: Sent[]): Promise<void> {
  const healings = await healingsOf(sent.map(({ taskId }) => taskId))
  const unknown = [...healings.values()].filter(({ unknownAtMs }) => unknownAtMs !== undefined).length
  report.figure('uncertain.told_to_be_uncertain', unknown)
  report.check('every answer was lost', unknown === sent.length, String(unknown))
  for (const [provider, own] of Map.groupBy(
    sent.filter(({ heals }) => heals),
    ({ target }) => target.provider,
  )) {
    const times = own.flatMap(({ taskId }) => {
      const { unknownAtMs, healedAtMs } = healings.get(taskId) ?? {}
      return unknownAtMs === undefined || healedAtMs === undefined ? [] : [healedAtMs - unknownAtMs]
    })
    const { visibility_ms: visibilityMs } = own[0]?.target.offers ?? { visibility_ms: 0 }
    const boundMs = boundOf(visibilityMs)
    const p99 = quantile(times, 0.99)
    report.figure(`uncertain.${provider}.healed`, times.length)
    report.figure(`uncertain.${provider}.p50_ms`, quantile(times, 0.5))
    report.figure(`uncertain.${provider}.p99_ms`, p99)
    report.figure(`uncertain.${provider}.bound_ms`, boundMs)
    report.check(
      `${provider}: healed within its visibility bound and two intervals`,
      times.length === own.length && p99 <= boundMs,
      `p99 ${p99} ms of ${times.length}, bound ${boundMs} ms`,
    )
  }
}
