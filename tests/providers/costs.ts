import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAccount } from '../support/client/account'
import { ownWords } from '../support/client/request'
import { operate } from '../support/operator/operator'
import { ops, opsDone } from '../support/operator/ops'
import { type Behaviour, simulator } from '../support/simulator'
import type { Report } from '../support/suite/report'
import { startProviders } from './matrix/start-providers'

type Attempt = { provider: string; provider_task_id: string | null; credits: number; cost_micro_usd: number | null; cost_basis: string }
type Row = {
  provider: string
  model: string
  unknown: number
  credits: number
  cost_micro_usd: number
  lost_micro_usd: number
  margin_micro_usd: number
}

/** At fal, whose units have a price there; at fal without one; and what fal has no mapping for and Runware has. */
const atFal = { model: 'theta-omni-1.1-flash', resolution: '360p', aspect_ratio: '16:9' }
const listed = { model: 'delta-3.0', duration: 5, resolution: '720p', aspect_ratio: '16:9', generate_audio: false }
const atRunware = { model: 'kappa-2.3', duration: 6, aspect_ratio: '16:9' }

/** What providers tell of their costs, from their answers to what an operator reads, and an invoice of theirs held against it. */
export async function proveCosts(report: Report): Promise<void> {
  const from = new Date().toISOString()
  const told = await attemptOf(report, atFal, 'completed')
  report.check('fal’s units are money by the price of its route', is(told, 'fal', 'told', 300_000), JSON.stringify(told))
  const withheld = await attemptOf(report, atFal, 'failed', { name: 'moderated' })
  report.check('what was withheld and billed is kept', is(withheld, 'fal', 'told', 300_000), JSON.stringify(withheld))
  const failed = await attemptOf(report, atFal, 'failed', { name: 'fails_after_accept' })
  report.check('a failure of which fal tells nothing is unknown', failed.cost_basis === 'unknown' && failed.cost_micro_usd === null)
  const video = await attemptOf(report, listed, 'completed')
  report.check('units without a price leave what the route lists', is(video, 'fal', 'listed', 420_000), JSON.stringify(video))
  const second = await attemptOf(report, atRunware, 'completed')
  report.check('Runware’s cost is what it says', is(second, 'runware', 'told', 280_000), JSON.stringify(second))
  await proveMargins(report, from, told)
  await proveInvoice(report, from, [told, withheld, failed, video])
  await proveBooks(report)
  await provePrices(report)
}

type Margin = { model: string; basis: string; margin_micro_usd: number | null; reason: string | null }

/** With every provider on no price is below a cost without a name, and nothing in the table is blank. */
async function provePrices(report: Report): Promise<void> {
  const { data } = JSON.parse(await opsDone('model', 'margins', '--json')) as { data: Margin[] }
  const models = new Set(data.map(({ model }) => model))
  report.check('the margins are of all models', models.size === 29, `${models.size}`)
  const negative = data.filter(({ margin_micro_usd: left, reason }) => (left ?? 0) < 0 && reason === null)
  report.check('none is negative without a name', negative.length === 0, JSON.stringify(negative))
  const blank = data.filter(({ basis, reason }) => basis === 'unnamed' || (basis === 'unknown' && !reason))
  report.check('each has its cost, or why nobody knows it', blank.length === 0, JSON.stringify(blank))
  report.figure('margins.rows', data.length)
  for (const basis of ['listed', 'unknown', 'nothing']) report.figure(`margins.${basis}`, data.filter(one => one.basis === basis).length)
}

/** An order for each provider, at a price that its route lists. */
const orders: Record<string, { model: string } & Record<string, unknown>> = {
  fal: { model: 'theta-omni-1.1-flash', resolution: '720p', aspect_ratio: '16:9' },
  runware: { model: 'kappa-2.3', duration: 6, resolution: '768p', aspect_ratio: '16:9' },
  ark: { model: 'beta-2.0-mini', duration: 4, resolution: '480p', aspect_ratio: '16:9', generate_audio: false },
  minimax: { model: 'alpha-h3', duration: 4, resolution: '768p', aspect_ratio: '16:9' },
  kling: { model: 'delta-3.0', duration: 3, resolution: '720p', aspect_ratio: '16:9', generate_audio: true },
  google: { model: 'gamma-3.1-fast', resolution: '720p', aspect_ratio: '16:9' },
  dashscope: { model: 'eta-3.0', duration: 2, resolution: '480p', aspect_ratio: '16:9', generate_audio: false },
  vidu: { model: 'iota-q3-turbo', duration: 1, resolution: '540p', aspect_ratio: '16:9', generate_audio: false },
  pixverse: { model: 'lambda-v6', duration: 1, resolution: '720p', aspect_ratio: '16:9', generate_audio: true },
  xai: { model: 'epsilon-1.5', duration: 6, resolution: '480p', aspect_ratio: '16:9' },
}
/** It tells no cost of any video. */
const silent = ['google']

/** What each provider tells of a video is what its route lists for the same order, where it tells nothing. */
async function proveBooks(report: Report): Promise<void> {
  const models = new Map(Object.entries(orders).map(([provider, { model }]) => [provider, model]))
  const providers = await startProviders({}, models)
  try {
    await Promise.all(Object.entries(orders).map(([provider, order]) => proveProvider(report, provider, order)))
  } finally {
    await providers.stop()
  }
}

async function proveProvider(report: Report, provider: string, order: object): Promise<void> {
  const told = await attemptOf(report, order, 'completed')
  const listed = await attemptOf(report, order, 'completed', { name: 'cost_told', as: null })
  const expected = silent.includes(provider) ? 'listed' : 'told'
  report.check(
    `${provider} ${silent.includes(provider) ? 'tells no cost' : 'tells its cost'}`,
    is(told, provider, expected, told.cost_micro_usd ?? -1),
  )
  const same = told.cost_micro_usd === listed.cost_micro_usd && listed.cost_basis === 'listed' && (listed.cost_micro_usd ?? 0) > 0
  report.check(`what ${provider} tells is what its route lists`, same, JSON.stringify([told, listed]))
  report.figure(`costs.${provider}_micro_usd`, told.cost_micro_usd ?? 0)
}

const is = (attempt: Attempt, provider: string, basis: string, microUsd: number) =>
  attempt.provider === provider && attempt.cost_basis === basis && attempt.cost_micro_usd === microUsd

async function attemptOf(report: Report, request: object, end: string, ...behaviours: Behaviour[]): Promise<Attempt> {
  const { api } = await openAccount()
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }, ...behaviours])
  const task = await api.taskOnce((await api.generate({ ...request, prompt })).body.id)
  report.check(`${Object.values(request).join(' ')} ends as ${end}`, task.status === end, JSON.stringify(task))
  const { attempts } = await operate<{ attempts: [Attempt] }>('dispatcher', 'GET', `/tasks/${task.id}`)
  return attempts[0]
}

async function proveMargins(report: Report, from: string, { credits }: Attempt): Promise<void> {
  const { data } = JSON.parse(await opsDone('provider', 'costs', '--from', from, '--provider', 'fal', '--json')) as { data: Row[] }
  const row = data.find(({ model }) => model === atFal.model)
  const expected = { unknown: 1, credits, cost_micro_usd: 600_000, lost_micro_usd: 300_000, margin_micro_usd: credits * 10_000 - 600_000 }
  const same = Object.entries(expected).every(([name, value]) => row?.[name as keyof Row] === value)
  report.check('a margin is what clients paid less what providers billed, refunded or not', same, JSON.stringify([row, expected]))
  const csv = await opsDone('provider', 'costs', '--from', from, '--csv')
  report.check(
    'the same is told as CSV',
    csv.split('\r\n').some(line => line.startsWith(`fal,${atFal.model},3,0,1,1,${credits},`)),
    csv,
  )
  const table = await opsDone('provider', 'costs', '--from', from)
  report.check('and as a table with its total', /^total /m.test(table), table)
}

async function proveInvoice(report: Report, from: string, own: Attempt[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-invoice-'))
  const [told, withheld, failed, video] = own.map(one => one.provider_task_id)
  const check = async (lines: string[]) => {
    const file = join(folder, 'invoice.csv')
    writeFileSync(file, ['provider_task_id,amount', ...lines].join('\n'))
    const { exitCode, stdout, stderr } = await ops('provider', 'costs', '--from', from, '--provider', 'fal', '--invoice', file, '--json')
    const { differences = [] } = stdout ? JSON.parse(stdout) : {}
    return {
      exitCode,
      stderr,
      named: differences
        .map((one: { difference: string }) => one.difference)
        .toSorted()
        .join(),
    }
  }
  const like = await check([`${told},0.30`, `${withheld},0.30`, `${video},0.42`])
  report.check('an invoice like our costs differs in nothing', like.exitCode === 0 && like.named === '', JSON.stringify(like))
  const unlike = await check([`${told},0.31`, `${withheld},0.30`, `${withheld},0.30`, `${failed},0.05`, 'nobody,1.00'])
  const all = 'not_on_invoice,not_ours,twice_on_invoice,unknown_here,unlike'
  report.check(
    'what is missing, doubled or unlike is named, and ends ops with 1',
    unlike.exitCode === 1 && unlike.named === all,
    JSON.stringify(unlike),
  )
  rmSync(folder, { recursive: true })
}
