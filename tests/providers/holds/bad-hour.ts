import { type Account, openAccount } from '../../support/client/account'
import type { Api } from '../../support/client/api'
import { audit, operate } from '../../support/operator/operator'
import { opsDone } from '../../support/operator/ops'
import { run } from '../../support/servers/databases'
import type { Report } from '../../support/suite/report'
import { until } from '../../support/until'
import { type Pipeline, reviewCountsMs } from './pipeline'
import { firing, record } from './recorded-series'
import { makeInstant, type Ordered, order, startTraffic, tally } from './traffic'

/** At most so many submits at once that are unanswered or of unknown outcome. */
const undecidedMax = 50
const backMsMax = 60_000
/** Its hour begins after a quarter of one, some orders later it is held, and the alert waits a minute. */
const alertMinute = 2
const well = 15_000

/** For `seconds` fal answers 500 to every submit, then nothing at all, while five orders a second come. */
export async function proveBadHour(report: Report, { fal, requests, dispatchers }: Pipeline, seconds: number): Promise<void> {
  const from = new Date().toISOString()
  await makeInstant()
  const fresh = await openAccount({ credits: 1_000_000 })
  const traffic = await startTraffic([requests.alone, requests.either])
  const recording = record(dispatchers, ['submit_holds', 'reviews_open', 'up'])
  await Bun.sleep(well)
  const before = traffic.orders.length
  let most = 0
  const watching = setInterval(async () => {
    most = Math.max(most, await undecided())
  }, 1_000)
  for (const mode of ['fails', 'silent'] as const) {
    fal.mode = mode
    await Bun.sleep((seconds * 1_000) / 2)
  }
  const bad = traffic.orders.slice(before)
  const isWithdrawn = async () => !(await offered(fresh.api, String(requests.alone.model)))
  const withdrawn = await until('the model to be withdrawn', isWithdrawn, 10_000).catch(() => false)
  fal.mode = 'ok'
  const backAt = performance.now()
  const taken = await until(
    'an order of fal to be taken again',
    async () => (await order(fresh, requests.alone)).status === 202 && (await holdsOf('fal')).length === 0,
    180_000,
  ).catch(() => false)
  const backMs = performance.now() - backAt
  await Bun.sleep(well)
  clearInterval(watching)
  await traffic.stop()
  const series = recording.stop()
  const answers = tally(bad)
  report.figure('holds.bad_hour.answers', JSON.stringify(answers))
  report.figure('holds.bad_hour.submits', fal.submits)
  report.figure('holds.bad_hour.undecided_max', most)
  report.figure('holds.bad_hour.back_ms', backMs)
  report.check('few submits were unanswered or unknown', most > 0 && most <= undecidedMax, `${most} at once`)
  report.check('a model that only fal has is withdrawn', withdrawn, 'still offered')
  report.check('it is back within a minute', taken && backMs <= backMsMax, `${Math.round(backMs)} ms`)
  const other = Object.keys(answers).filter(
    answer => !/^(202|503 generation_unavailable|503 acceptance_uncertain|429 unfinished_task_limit)/.test(answer),
  )
  report.check('every answer is one of the contract', other.length === 0, other.join())
  await proveElsewhere(report, bad, String(requests.either.model))
  await proveNoLockout(report, traffic.accounts, requests.either)
  await proveReviewsEnd(report, from)
  const words = await firing(series, 'FilmgateProviderUnanswered', 'fal', alertMinute)
  report.check(`the alert fires in minute ${alertMinute}`, words === '', words)
}

/** Attempts at fal that are sent and not answered, or of unknown outcome. */
async function undecided(): Promise<number> {
  const [row] = await run<{ count: number }>(
    'dispatcher',
    `select count(*)::int as count from attempt where provider = 'fal' and state in ('sending', 'unknown')`,
  )
  return row?.count ?? 0
}

export async function offered(api: Api, model: string): Promise<boolean> {
  const { data } = JSON.parse((await api.get('/models')).text) as { data: { id: string; available: boolean }[] }
  return data.find(({ id }) => id === model)?.available ?? false
}

type ShownHold = { cause: string; model: string | null; by: string | null; reason: string }
export async function holdsOf(provider: string): Promise<ShownHold[]> {
  const { data } = await operate<{ data: { provider: string; holds?: ShownHold[] }[] }>('dispatcher', 'GET', '/providers')
  return data.find(one => one.provider === provider)?.holds ?? []
}

/** Orders that another provider can have are taken; the others are refused, nearly all before anything is reserved. */
async function proveElsewhere(report: Report, orders: Ordered[], either: string): Promise<void> {
  const isRefused = ({ code }: Ordered) => code === 'generation_unavailable'
  const refused = orders.filter(isRefused)
  const lost = refused.filter(({ model }) => model === either).length
  report.check('orders that have another route are not refused', lost === 0, `${lost} refused`)
  const reserved = await reservationsOfAccounts(orders.map(({ account }) => account.accountId))
  report.figure('holds.bad_hour.reservations', JSON.stringify(reserved))
  report.figure('holds.bad_hour.refused', refused.length)
  // Between the hold and the withdrawn offer.
  const late = reserved.refunded ?? 0
  report.check('orders are refused before a reservation', refused.length > 10 * late, `${late} of ${refused.length} were refunded`)
}

export async function reservationsOfAccounts(accountIds: string[]): Promise<Record<string, number>> {
  const rows = await run<{ state: string; count: number }>(
    'ledger',
    `select state, count(*)::int as count from reservation
     where account_id in (select jsonb_array_elements_text($1::text::jsonb)) group by state`,
    [JSON.stringify([...new Set(accountIds)])],
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

async function proveNoLockout(report: Report, accounts: Account[], request: Record<string, unknown>): Promise<void> {
  const startedAt = performance.now()
  const isTaken = async (account: Account) => (await order(account, request)).status === 202
  const waits = await Promise.all(
    accounts.map(async account => {
      await until('an account to order again', () => isTaken(account), reviewCountsMs + 30_000).catch(() => {})
      return performance.now() - startedAt
    }),
  )
  const longest = Math.max(...waits)
  report.figure('holds.bad_hour.locked_out_ms', longest)
  report.check('no account is locked out beyond the bound', longest < reviewCountsMs + 20_000, `${Math.round(longest)} ms`)
}

async function proveReviewsEnd(report: Report, from: string): Promise<void> {
  const open = async () => (await operate<{ data: unknown[] }>('dispatcher', 'GET', '/reviews?provider=fal')).data.length
  report.figure('holds.bad_hour.reviews', await open())
  const to = new Date().toISOString()
  await opsDone('review', 'end', '--provider', 'fal', '--from', from, '--to', to, '--outcome', 'refund', '--reason', 'its bad hour is over')
  await until('no review to be open', async () => (await open()) === 0, 60_000).catch(() => {})
  const left = await open()
  report.check('one command ends all reviews', left === 0, `${left} left`)
  const findings = await audit()
  report.check('the books are whole', findings.length === 0, JSON.stringify(findings))
}
